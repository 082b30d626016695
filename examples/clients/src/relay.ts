/** Relay: compiled documents, a normalised store, connections merged by its handler and streamed, subscriptions over WebSockets. */
import { createClient } from 'graphql-ws';
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  getSelector,
  type MutationParameters,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime';
import { WebSocket } from 'ws';
import ProductsFragment, {
  type relayDocuments_products$data,
} from './generated/relay/relayDocuments_products.graphql.ts';
import BuyMutation, {
  type relayDocumentsBuyMutation,
} from './generated/relay/relayDocumentsBuyMutation.graphql.ts';
import ListQuery, {
  type relayDocumentsListQuery,
} from './generated/relay/relayDocumentsListQuery.graphql.ts';
import MoreQuery, {
  type relayDocumentsMoreQuery,
} from './generated/relay/relayDocumentsMoreQuery.graphql.ts';
import ProductQuery, {
  type relayDocumentsProductQuery,
} from './generated/relay/relayDocumentsProductQuery.graphql.ts';
import SignInMutation, {
  type relayDocumentsSignInMutation,
} from './generated/relay/relayDocumentsSignInMutation.graphql.ts';
import StockSubscription, {
  type relayDocumentsStockSubscription,
} from './generated/relay/relayDocumentsStockSubscription.graphql.ts';
import { fetchInParts } from './relay-network.ts';
import {
  authorizationHeader,
  businessId,
  delivery,
  graphqlUrl,
  required,
  type Session,
  type Storefront,
  socketUrl,
} from './storefront.ts';

/** Waits for the last part: `toPromise` ends with the first one. */
const allParts = (results: Observable<unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    results.subscribe({ complete: resolve, error: reject });
  });

export function createRelayStorefront(): Storefront {
  const session: Session = { token: undefined };
  const sockets = createClient({
    url: socketUrl,
    webSocketImpl: WebSocket,
    connectionParams: () => authorizationHeader(session),
  });
  const environment = new Environment({
    network: Network.create(
      ({ text }, variables) => fetchInParts(graphqlUrl, authorizationHeader(session), text, variables),
      ({ text }, variables) =>
        Observable.create((sink) => sockets.subscribe({ query: text ?? '', variables }, sink as never)),
    ),
    store: new Store(new RecordSource()),
  });
  const mutate = <Mutation extends MutationParameters>(
    mutation: GraphQLTaggedNode,
    variables: Mutation['variables'],
  ): Promise<Mutation['response']> =>
    new Promise((resolve, reject) => {
      commitMutation<Mutation>(environment, {
        mutation,
        variables,
        onCompleted: resolve,
        onError: reject,
      });
    });

  return {
    async signIn(email, password) {
      const { login } = await mutate<relayDocumentsSignInMutation>(SignInMutation, {
        input: { provider: 'EMAIL', email, password },
      });
      session.token = login.auth.accessToken;
    },
    async listProducts(pageSize) {
      const variables = { businessId, first: pageSize };
      const operation = createOperationDescriptor(ListQuery, variables);
      const readList = (): relayDocuments_products$data => {
        const query = environment.lookup(operation.fragment).data;
        const selector = getSelector(ProductsFragment, query as never);
        return environment.lookup(required(selector) as never).data as never;
      };
      await allParts(fetchQuery<relayDocumentsListQuery>(environment, ListQuery, variables));
      environment.retain(operation);
      const { pageInfo } = readList().products as unknown as { pageInfo: { endCursor: string } };
      const after = pageInfo.endCursor;
      await allParts(fetchQuery<relayDocumentsMoreQuery>(environment, MoreQuery, { ...variables, after }));
      return readList().products.edges.map(({ node }) => node.name);
    },
    async product(id) {
      const data = await fetchQuery<relayDocumentsProductQuery>(environment, ProductQuery, {
        businessId,
        id,
      }).toPromise();
      const product = required(data?.product);
      return { id: product.id, name: product.name, variantId: required(product.variants[0]).id };
    },
    async buy(line) {
      const { checkout } = await mutate<relayDocumentsBuyMutation>(BuyMutation, {
        businessId,
        input: { ...delivery, lines: [line] },
      });
      return checkout.errors.map(({ code }) => code);
    },
    watchStock: (productId) =>
      new Promise((resolve, reject) => {
        const { dispose } = requestSubscription<relayDocumentsStockSubscription>(environment, {
          subscription: StockSubscription,
          variables: { businessId, productId },
          onNext(data) {
            resolve(required(data).stockChanged.inventory.quantity);
            setTimeout(dispose);
          },
          onError: reject,
        });
      }),
    close: async () => sockets.dispose(),
  };
}

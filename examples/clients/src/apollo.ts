/** Apollo Client 4: normalised cache, pages merged by a field policy, subscriptions over WebSockets. */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client/core';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { firstValueFrom } from 'rxjs';
import { WebSocket } from 'ws';
import { Buy, OneProduct, ProductList, SignIn, Stock } from './codegen-documents.ts';
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

export function createApolloStorefront(): Storefront {
  const session: Session = { token: undefined };
  const sockets = createClient({
    url: socketUrl,
    webSocketImpl: WebSocket,
    connectionParams: () => authorizationHeader(session),
  });
  const http = new SetContextLink(({ headers }) => ({
    headers: { ...headers, ...authorizationHeader(session) },
  })).concat(new HttpLink({ uri: graphqlUrl }));
  const client = new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      new GraphQLWsLink(sockets),
      http,
    ),
    cache: new InMemoryCache({
      typePolicies: { Query: { fields: { products: relayStylePagination(['businessId', 'sort']) } } },
    }),
  });
  return {
    async signIn(email, password) {
      const { data } = await client.mutate({
        mutation: SignIn,
        variables: { input: { provider: 'EMAIL', email, password } },
      });
      session.token = required(data).login.auth.accessToken;
    },
    async listProducts(pageSize) {
      const variables = { businessId, first: pageSize };
      const { data } = await client.query({ query: ProductList, variables });
      const after = required(data).products.pageInfo.endCursor;
      await client.watchQuery({ query: ProductList, variables }).fetchMore({ variables: { after } });
      const cached = client.readQuery({ query: ProductList, variables });
      return required(cached).products.edges.map(({ node }) => node.name);
    },
    async product(id) {
      const { data } = await client.query({ query: OneProduct, variables: { businessId, id } });
      const product = required(data?.product);
      return { id: product.id, name: product.name, variantId: required(product.variants[0]).id };
    },
    async buy(line) {
      const { data } = await client.mutate({
        mutation: Buy,
        variables: { businessId, input: { ...delivery, lines: [line] } },
      });
      return required(data).checkout.errors.map(({ code }) => code);
    },
    async watchStock(productId) {
      const events = client.subscribe({ query: Stock, variables: { businessId, productId } });
      const { data } = await firstValueFrom(events);
      return required(data).stockChanged.inventory.quantity;
    },
    async close() {
      client.stop();
      await sockets.dispose();
    },
  };
}

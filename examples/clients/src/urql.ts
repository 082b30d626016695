/** urql with documents of gql.tada, whose types come from the text; subscriptions by graphql-sse. */
import {
  type AnyVariables,
  Client,
  cacheExchange,
  type DocumentInput,
  fetchExchange,
  subscriptionExchange,
} from '@urql/core';
import { initGraphQLTada } from 'gql.tada';
import { createClient } from 'graphql-sse';
import type { introspection } from './generated/tada.d.ts';
import {
  authorizationHeader,
  businessId,
  delivery,
  graphqlUrl,
  required,
  type Session,
  type Storefront,
} from './storefront.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { ID: string; Timestamp: number; DateTime: string; Money: number; JSON: unknown };
}>();

const SignIn = graphql(
  `mutation SignIn($input: LoginInput!) { login(input: $input) { auth { accessToken } } }`,
);
const ProductList = graphql(`
  query ProductList($businessId: ID!, $first: Int!, $after: String) {
    products(businessId: $businessId, first: $first, after: $after, sort: NAME) {
      nodes { id name }
      pageInfo { endCursor }
    }
  }
`);
const OneProduct = graphql(`
  query OneProduct($businessId: ID!, $id: ID!) {
    product(businessId: $businessId, id: $id) { id name variants { id } }
  }
`);
const Buy = graphql(`
  mutation Buy($businessId: ID!, $input: CheckoutInput!) {
    checkout(businessId: $businessId, input: $input) {
      errors { code field message }
      result { orderId checkoutUrl }
    }
  }
`);
const Stock = graphql(`
  subscription Stock($businessId: ID!, $productId: ID!) {
    stockChanged(businessId: $businessId, productId: $productId) { variantId inventory { quantity } }
  }
`);

export function createUrqlStorefront(): Storefront {
  const session: Session = { token: undefined };
  const events = createClient({ url: graphqlUrl, headers: () => authorizationHeader(session) });
  const client = new Client({
    url: graphqlUrl,
    preferGetMethod: false,
    fetchOptions: () => ({ headers: authorizationHeader(session) }),
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: events.subscribe({ query: query ?? '', variables }, sink as never),
          }),
        }),
      }),
    ],
  });

  async function query<Result, Variables extends AnyVariables>(
    document: DocumentInput<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const { data, error } = await client.query(document, variables).toPromise();
    if (error) throw error;
    return required(data);
  }

  return {
    async signIn(email, password) {
      const { data } = await client.mutation(SignIn, { input: { provider: 'EMAIL', email, password } });
      session.token = required(data).login.auth.accessToken;
    },
    async listProducts(pageSize) {
      const variables = { businessId, first: pageSize };
      const { products: first } = await query(ProductList, variables);
      const { products: second } = await query(ProductList, {
        ...variables,
        after: first.pageInfo.endCursor,
      });
      return [...first.nodes, ...second.nodes].map(({ name }) => name);
    },
    async product(id) {
      const product = required((await query(OneProduct, { businessId, id })).product);
      return { id: product.id, name: product.name, variantId: required(product.variants[0]).id };
    },
    async buy(line) {
      const { data } = await client.mutation(Buy, { businessId, input: { ...delivery, lines: [line] } });
      return required(data).checkout.errors.map(({ code }) => code);
    },
    watchStock: (productId) =>
      new Promise((resolve, reject) => {
        const { unsubscribe } = client
          .subscription(Stock, { businessId, productId })
          .subscribe(({ data, error }) => {
            if (data) resolve(data.stockChanged.inventory.quantity);
            else reject(error);
            setTimeout(() => unsubscribe());
          });
      }),
    close: () => events.dispose(),
  };
}

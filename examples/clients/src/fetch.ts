/** The client preset of GraphQL Code Generator without a client library: `fetch`, and graphql-sse for subscriptions. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { Buy, OneProduct, ProductList, SignIn, Stock } from './codegen-documents.ts';
import {
  authorizationHeader,
  businessId,
  delivery,
  graphqlUrl,
  required,
  type Session,
  type Storefront,
} from './storefront.ts';

export function createFetchStorefront(): Storefront {
  const session: Session = { token: undefined };
  const events = createClient({ url: graphqlUrl, headers: () => authorizationHeader(session) });

  async function execute<Result, Variables>(
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        ...authorizationHeader(session),
      },
      body: JSON.stringify({ query: print(document), variables }),
    });
    const { data, errors } = (await response.json()) as { data?: Result; errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]?.message);
    return required(data);
  }

  return {
    async signIn(email, password) {
      const { login } = await execute(SignIn, { input: { provider: 'EMAIL', email, password } });
      session.token = login.auth.accessToken;
    },
    async listProducts(pageSize) {
      const variables = { businessId, first: pageSize };
      const { products: first } = await execute(ProductList, variables);
      const after = first.pageInfo.endCursor ?? undefined;
      const { products: second } = await execute(ProductList, { ...variables, after });
      return [...first.edges, ...second.edges].map(({ node }) => node.name);
    },
    async product(id) {
      const product = required((await execute(OneProduct, { businessId, id })).product);
      return { id: product.id, name: product.name, variantId: required(product.variants[0]).id };
    },
    async buy(line) {
      const { checkout } = await execute(Buy, { businessId, input: { ...delivery, lines: [line] } });
      return checkout.errors.map(({ code }) => code);
    },
    async watchStock(productId) {
      const query = print(Stock);
      for await (const { data } of events.iterate<{ stockChanged: { inventory: { quantity: number } } }>({
        query,
        variables: { businessId, productId },
      }))
        return required(data).stockChanged.inventory.quantity;
      throw new Error('The subscription ended without an event.');
    },
    close: () => events.dispose(),
  };
}

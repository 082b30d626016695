/** TanStack Query with the packaged REST client; the stock of a product comes by server-sent events into its cache. */

import { createClient, ValidationError } from '@duet-gateway/client-rest';
import { MutationObserver, QueryClient } from '@tanstack/query-core';
import { createClient as createEventClient } from 'graphql-sse';
import {
  authorizationHeader,
  businessId,
  type CartLine,
  delivery,
  gatewayUrl,
  graphqlUrl,
  required,
  type Session,
  type Storefront,
} from './storefront.ts';

const path = { businessId };
const stockQuery = `subscription ($businessId: ID!, $productId: ID!) {
  stockChanged(businessId: $businessId, productId: $productId) { inventory { quantity } }
}`;

export function createTanstackStorefront(): Storefront {
  const session: Session = { token: undefined };
  const { api, signIn } = createClient({ url: gatewayUrl });
  const events = createEventClient({ url: graphqlUrl, headers: () => authorizationHeader(session) });
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });

  return {
    async signIn(email, password) {
      const tokens = await api.Login({ body: { provider: 'EMAIL', email, password } });
      signIn(tokens);
      session.token = tokens.accessToken;
    },
    async listProducts(pageSize) {
      const { pages } = await queries.fetchInfiniteQuery({
        queryKey: ['products', businessId],
        queryFn: ({ pageParam }) =>
          api.ListProducts({
            path,
            query: { limit: pageSize, sort: 'NAME', ...(pageParam === null ? {} : { cursor: pageParam }) },
          }),
        initialPageParam: null as string | null,
        getNextPageParam: ({ cursor }) => cursor,
        pages: 2,
      });
      return pages.flatMap(({ items }) => items.map(({ name }) => name));
    },
    async product(id) {
      const product = await queries.fetchQuery({
        queryKey: ['product', id],
        queryFn: () => api.GetProduct({ path: { ...path, id } }),
      });
      return { id: product.id, name: product.name, variantId: required(product.variants[0]).id };
    },
    async buy(line) {
      const order = new MutationObserver(queries, {
        mutationFn: (item: CartLine) => api.Checkout({ path, body: { ...delivery, items: [item] } }),
      });
      await order.mutate(line).catch(() => undefined);
      const { error } = order.getCurrentResult();
      if (error instanceof ValidationError) return error.details.map((detail) => detail.error);
      if (error) throw error;
      return [];
    },
    async watchStock(productId) {
      for await (const { data } of events.iterate<{ stockChanged: { inventory: { quantity: number } } }>({
        query: stockQuery,
        variables: { businessId, productId },
      })) {
        queries.setQueryData(['stock', productId], required(data).stockChanged.inventory.quantity);
        break;
      }
      return required(queries.getQueryData<number>(['stock', productId]));
    },
    close() {
      events.dispose();
      queries.clear();
    },
  };
}

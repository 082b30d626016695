/** Example with openapi-fetch: a guest buys a product, and the demo admin lists the orders. */
import type { paths } from '@duet-gateway/client-rest';
import createClient from 'openapi-fetch';

const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';

export const createShop = (token?: string) =>
  createClient<paths>({
    baseUrl: process.env.DUET_URL ?? 'http://localhost:4000',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

export async function signInAsGuest(): Promise<string> {
  const { data, error } = await createShop().POST('/v1/users/login', { body: { provider: 'GUEST' } });
  if (error) throw new Error(error.message);
  return data.accessToken;
}

/** Id of the new order, or the code of the error. */
export async function buy(token: string, quantity: number): Promise<{ orderId: string } | { code: string }> {
  const shop = createShop(token);
  const products = await shop.GET('/v1/businesses/{businessId}/products', {
    params: { path: { businessId }, query: { limit: 20, inStock: true, market: 'US' } },
  });
  const product = products.data?.items.find(({ variants }) => variants[0]?.inventory?.tracked);
  const variant = product?.variants[0];
  if (!product || !variant) throw new Error('The shop has no products in stock.');
  const { data, error, response } = await shop.POST('/v1/businesses/{businessId}/orders/checkout', {
    params: { path: { businessId }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      items: [{ productId: product.id, variantId: variant.id, quantity }],
    },
  });
  if (response.status === 422) return { code: error?.error ?? '' };
  if (!data) throw new Error(error?.message ?? 'The checkout failed.');
  return { orderId: data.orderId };
}

/** Numbers and totals of the newest orders. */
export async function listOrders(token: string): Promise<string[]> {
  const path = { businessId };
  const { data, error } = await createShop(token).GET('/v1/businesses/{businessId}/orders', {
    params: { path, query: { limit: 3 } },
  });
  if (error) throw new Error(error.message);
  return data.items.map(({ number, total, currency }) => `${number}: ${total} ${currency}`);
}

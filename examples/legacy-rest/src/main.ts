/** A client from before GraphQL: the documented paths, with types made from the contract. */
import { createClient, unwrap } from './client';

const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';
const client = createClient(process.env.DUET_URL ?? 'http://localhost:4000');

const auth = unwrap(await client.POST('/v1/users/login', { body: { provider: 'GUEST' } }));
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${auth.accessToken}`),
});

const page = unwrap(
  await client.GET('/v1/businesses/{businessId}/products', {
    params: { path: { businessId }, query: { limit: 5 } },
  }),
);
console.log(`${page.items.length} products, ${page.cursor === null ? 'no more' : 'and more'}`);
for (const { name, variants } of page.items) {
  const price = variants[0]?.pricing.markets[0];
  console.log(`- ${name}${price ? `, ${(price.price / 100).toFixed(2)} ${price.currency}` : ''}`);
}

const first = page.items[0];
const variant = first?.variants[0];
if (!first || !variant) throw new Error('The shop has nothing to sell.');
const product = unwrap(
  await client.GET('/v1/businesses/{businessId}/products/{id}', {
    params: { path: { businessId, id: first.id } },
  }),
);
console.log(`${product.name}: ${product.variants.length} variants`);

const items = [{ productId: first.id, variantId: variant.id, quantity: 1 }];
const delivery = { market: 'US', shippingMethodId: 'standard' };
const quote = unwrap(
  await client.POST('/v1/payments/quote', { body: { businessId, ...delivery, lines: items } }),
);
console.log(`One of them costs ${(quote.total / 100).toFixed(2)} ${quote.currency}, delivered`);

// The quote locks its prices for a quarter of an hour; the key makes a retry safe.
const checkout = unwrap(
  await client.POST('/v1/businesses/{businessId}/orders/checkout', {
    params: { path: { businessId }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { ...delivery, items, quote: quote.id },
  }),
);
console.log(
  checkout.checkoutUrl ? `Pay at ${checkout.checkoutUrl}` : `Order ${checkout.orderId} is ${checkout.status}`,
);

/** A client from before GraphQL: every documented path as a typed function. */
import { createClient, ValidationError } from 'duet-client-rest';

const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';
const client = createClient({ url: process.env.DUET_URL ?? 'http://localhost:4000' });

client.signIn(await client.api.Login({ body: { provider: 'GUEST' } }));

const path = { businessId };
const page = await client.api.ListProducts({ path, query: { limit: 5 } });
console.log(`${page.items.length} products, ${page.cursor === null ? 'no more' : 'and more'}`);
for (const { name, variants } of page.items) {
  const price = variants[0]?.pricing.markets[0];
  console.log(`- ${name}${price ? `, ${(price.price / 100).toFixed(2)} ${price.currency}` : ''}`);
}

const first = page.items[0];
const variant = first?.variants[0];
if (!first || !variant) throw new Error('The shop has nothing to sell.');
const product = await client.api.GetProduct({ path: { ...path, id: first.id } });
console.log(`${product.name}: ${product.variants.length} variants`);

let all = 0;
for await (const _ of client.each('ListProducts', { path, query: { limit: 5 } })) all += 1;
console.log(`${all} products on all pages`);

const items = [{ productId: first.id, variantId: variant.id, quantity: 1 }];
const delivery = { market: 'US', shippingMethodId: 'standard' };
const order = { businessId, ...delivery, lines: items };
try {
  await client.api.Quote({ body: { ...order, promoCode: 'NO-SUCH-CODE' } });
} catch (error) {
  if (!(error instanceof ValidationError && error.has('PROMO_CODE_INVALID'))) throw error;
  console.log('There is no such promo code');
}

const quote = await client.api.Quote({ body: order });
console.log(`One of them costs ${(quote.total / 100).toFixed(2)} ${quote.currency}, delivered`);

// The quote locks its prices for a quarter of an hour; the client sends a key that makes a retry safe.
const checkout = await client.api.Checkout({ path, body: { ...delivery, items, quote: quote.id } });
console.log(
  checkout.checkoutUrl ? `Pay at ${checkout.checkoutUrl}` : `Order ${checkout.orderId} is ${checkout.status}`,
);

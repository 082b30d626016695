/** Example of the typed REST client: sign in, list products, price a cart and check out. */
import { createClient, ValidationError } from '@duet-gateway/client-rest';

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

const firstProduct = page.items[0];
const variant = firstProduct?.variants[0];
if (!firstProduct || !variant) throw new Error('The shop has no products.');
const product = await client.api.GetProduct({ path: { ...path, id: firstProduct.id } });
console.log(`${product.name}: ${product.variants.length} variants`);

let total = 0;
for await (const _ of client.each('ListProducts', { path, query: { limit: 5 } })) total += 1;
console.log(`${total} products on all pages`);

const items = [{ productId: firstProduct.id, variantId: variant.id, quantity: 1 }];
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

// The quote fixes its prices for 15 minutes. The client sends an idempotency key, so that a retry is safe.
const checkout = await client.api.Checkout({ path, body: { ...delivery, items, quote: quote.id } });
console.log(
  checkout.checkoutUrl ? `Pay at ${checkout.checkoutUrl}` : `Order ${checkout.orderId} is ${checkout.status}`,
);

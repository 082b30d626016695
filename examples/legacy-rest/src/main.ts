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
if (first) {
  const product = unwrap(
    await client.GET('/v1/businesses/{businessId}/products/{id}', {
      params: { path: { businessId, id: first.id } },
    }),
  );
  console.log(`${product.name}: ${product.variants.length} variants`);
}

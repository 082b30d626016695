/** Takes the same steps with each client, or with those named as arguments, and prints the results as JSON. */
import { createApolloStorefront } from './apollo.ts';
import { createFetchStorefront } from './fetch.ts';
import { createRelayStorefront } from './relay.ts';
import { required, type Storefront } from './storefront.ts';
import { createTanstackStorefront } from './tanstack.ts';
import { createUrqlStorefront } from './urql.ts';

const storefronts: Record<string, () => Storefront> = {
  apollo: createApolloStorefront,
  fetch: createFetchStorefront,
  relay: createRelayStorefront,
  tanstack: createTanstackStorefront,
  urql: createUrqlStorefront,
};

const email = process.env.EMAIL ?? 'admin@demo.example';
const password = process.env.PASSWORD ?? 'duet-demo-password';
const productId = process.env.PRODUCT ?? 'stoneware-cup';

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(storefronts)) {
  const storefront = required(storefronts[name])();
  await storefront.signIn(email, password);
  const products = await storefront.listProducts(2);
  const product = await storefront.product(productId);
  const refusals = await storefront.buy({
    productId: product.id,
    variantId: product.variantId,
    quantity: 9_999,
  });
  const stock = await storefront.watchStock(product.id);
  await storefront.close();
  console.log(JSON.stringify({ client: name, products, product: product.name, refusals, stock }));
}

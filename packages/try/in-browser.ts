/** Uses both clients, bundled, in a page on another origin than the gateway, and shows the results as JSON. */
import * as graphql from '@duet-gateway/client-graphql';
import { ListProductsDocument } from '@duet-gateway/client-graphql/operations';
import { createClient, DuetError } from '@duet-gateway/client-rest';

const path = { businessId: '01900000-0000-7000-8000-00000000000b' };

async function visit(url: string) {
  const rest = createClient({ url });
  rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
  const shop = graphql.createClient({ url, tokens: rest.tokens });

  const firstPage = await rest.api.ListProducts({ path, query: { limit: 100 } });
  const restNames: string[] = [];
  for await (const { name } of rest.each('ListProducts', { path, query: { limit: 5 } })) restNames.push(name);
  const graphqlNames: string[] = [];
  const variables = { ...path, first: 5 };
  for await (const { name } of shop.each(ListProductsDocument, variables, ({ products }) => products))
    graphqlNames.push(name);

  const product = firstPage.items.find(
    ({ variants: [only, ...others] }) => others.length === 0 && (only?.inventory?.quantity ?? 0) > 5,
  );
  const variantId = product?.variants[0]?.id;
  if (!product || !variantId) throw new Error('The demo shop has no product in stock.');
  const buy = (quantity: number) => {
    const items = [{ productId: product.id, variantId, quantity }];
    return rest.api.Checkout({ path, body: { market: 'US', shippingMethodId: 'standard', items } });
  };
  const outOfStock = await buy(1_000_000).catch((error: unknown) => error);

  const stock = {
    toString: () => `subscription ($businessId: ID!, $productId: ID) {
      stockChanged(businessId: $businessId, productId: $productId) { inventory { quantity } } }`,
  };
  const quantities: number[] = [];
  for await (const event of shop.watch<{ stockChanged: { inventory: { quantity: number } } }, object>(stock, {
    ...path,
    productId: product.id,
  })) {
    quantities.push(event.stockChanged.inventory.quantity);
    if (quantities.length === 2) break;
    await buy(3);
  }
  const allNames = firstPage.items.map(({ name }) => name).join();
  return {
    onPages: restNames.join() === allNames && restNames.length > 5,
    inGraphql: graphqlNames.join() === allNames,
    outOfStock: outOfStock instanceof DuetError && [outOfStock.name, outOfStock.has('OUT_OF_STOCK')],
    sold: (quantities[0] ?? 0) - (quantities[1] ?? 0),
  };
}

const output = document.createElement('output');
const url = new URL(location.href).searchParams.get('gateway') ?? '';
output.textContent = JSON.stringify(await visit(url).catch(String));
document.body.append(output);

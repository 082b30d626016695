/** What a shop's page does with both clients, bundled, from an origin of its own. Shows what came of it. */
import * as graphql from 'duet-client-graphql';
import { ListProductsDocument } from 'duet-client-graphql/operations';
import { createClient, DuetError } from 'duet-client-rest';

const path = { businessId: '01900000-0000-7000-8000-00000000000b' };

async function visit(url: string) {
  const rest = createClient({ url });
  rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
  const shop = graphql.createClient({ url, tokens: rest.tokens });

  const whole = await rest.api.ListProducts({ path, query: { limit: 100 } });
  const names: string[] = [];
  for await (const { name } of rest.each('ListProducts', { path, query: { limit: 5 } })) names.push(name);
  const inGraphql: string[] = [];
  const pages = { ...path, first: 5 };
  for await (const { name } of shop.each(ListProductsDocument, pages, ({ products }) => products))
    inGraphql.push(name);

  const product = whole.items.find(
    ({ variants: [only, ...others] }) => others.length === 0 && (only?.inventory?.quantity ?? 0) > 5,
  );
  const variantId = product?.variants[0]?.id;
  if (!product || !variantId) throw new Error('There is nothing to sell.');
  const buy = (quantity: number) => {
    const items = [{ productId: product.id, variantId, quantity }];
    return rest.api.Checkout({ path, body: { market: 'US', shippingMethodId: 'standard', items } });
  };
  const refused = await buy(1_000_000).catch((error: unknown) => error);

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
  const all = whole.items.map(({ name }) => name).join();
  return {
    onPages: names.join() === all && names.length > 5,
    inGraphql: inGraphql.join() === all,
    refused: refused instanceof DuetError && [refused.name, refused.has('OUT_OF_STOCK')],
    sold: (quantities[0] ?? 0) - (quantities[1] ?? 0),
  };
}

const shown = document.createElement('output');
const url = new URL(location.href).searchParams.get('gateway') ?? '';
shown.textContent = JSON.stringify(await visit(url).catch(String));
document.body.append(shown);

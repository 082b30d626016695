/** What every page knows of the shop, asked for once, and the market that the visitor buys in. */
import { ask, businessId } from './gateway.ts';
import { ShopDocument, type ShopQuery } from './generated/graphql';

let asked: Promise<ShopQuery> | undefined;

export function shop(): Promise<ShopQuery> {
  asked ??= ask(ShopDocument, { businessId }).catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

const place = 'shop:market';

/** The one that was chosen, or the one that the language of the browser is spoken in, or the first. */
export async function market(): Promise<string> {
  const codes = (await shop()).markets.nodes.map(({ code }) => code);
  const wished = [localStorage.getItem(place), new Intl.Locale(navigator.language).region];
  return wished.find((code) => code && codes.includes(code)) ?? codes.at(-1) ?? '';
}

export const chooseMarket = (code: string) => localStorage.setItem(place, code);

/** How this market can be shipped to, cheapest first. */
export async function shippingTo(code: string) {
  const { shippingMethods } = await shop();
  const methods = shippingMethods.nodes.flatMap(({ id, name, prices }) => {
    const price = prices.find(({ marketId }) => marketId === code);
    return price ? [{ id, name, ...price }] : [];
  });
  return methods.toSorted((a, b) => a.price - b.price);
}

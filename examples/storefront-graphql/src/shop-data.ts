/** Data of the shop, loaded once, and the selected market. */
import { businessId, run } from './gateway.ts';
import { ShopDocument, type ShopQuery } from './generated/graphql';

let shopQuery: Promise<ShopQuery> | undefined;

export function shop(): Promise<ShopQuery> {
  shopQuery ??= run(ShopDocument, { businessId }).then(withSellingMarkets, (error) => {
    shopQuery = undefined;
    throw error;
  });
  return shopQuery;
}

/** Without markets in which nothing has a price. */
function withSellingMarkets(data: ShopQuery): ShopQuery {
  const selling = data.products.facets.prices.map((price) => price.market.toLowerCase());
  const nodes = data.markets.nodes.filter(({ code }) => selling.includes(code.toLowerCase()));
  return nodes.length === 0 ? data : { ...data, markets: { ...data.markets, nodes } };
}

const storageKey = 'shop:market';

/** Code of the selected market. Default: the market of the browser's region, otherwise the last in the list. */
export async function market(): Promise<string> {
  const codes = (await shop()).markets.nodes.map(({ code }) => code);
  const preferred = [localStorage.getItem(storageKey), new Intl.Locale(navigator.language).region];
  return preferred.find((code) => code && codes.includes(code)) ?? codes.at(-1) ?? '';
}

export const chooseMarket = (code: string) => localStorage.setItem(storageKey, code);

/** Shipping methods of a market, cheapest first. */
export async function shippingMethodsFor(code: string) {
  const { shippingMethods } = await shop();
  const methods = shippingMethods.nodes.flatMap(({ key, name, prices }) => {
    const price = prices.find(({ marketId }) => marketId === code);
    return price ? [{ id: key, name, ...price }] : [];
  });
  return methods.toSorted((a, b) => a.price - b.price);
}

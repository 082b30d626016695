/** Creates a business for a walk: a market, two shipping methods, a collection, a newsletter and a webhook endpoint. */
import type { Shop, TestApp } from '../support/test-app.ts';
import type { PriceTerms, ShopNumber, TaxTerms } from './model.ts';
import type { KnownShop } from './world.ts';

/** Tax of the market of each business: the standard rate, and the rates of product categories in basis points. */
export const taxTerms: Readonly<Record<ShopNumber, TaxTerms>> = {
  0: { standardBps: 825, categoryBps: { books: 700, c1: 0, c2: 2000 } },
  1: { standardBps: 1900, categoryBps: { books: 700, c2: 555, c3: 0 } },
};
/** Categories of products; the market of a business has rates for some of them. */
export const productCategories = [undefined, 'books', 'c1', 'c2', 'c3'] as const;
export const shippingRates: Readonly<Record<string, PriceTerms['shipping']>> = {
  standard: { price: 590, freeAbove: 10_000 },
  pickup: { price: 0 },
};
export const plans: Readonly<Record<string, number>> = { free: 0, once: 700, silver: 500, gold: 2000 };

export async function createShop(t: TestApp, number: ShopNumber): Promise<KnownShop> {
  const shop = await t.shop();
  await createResource(t, shop, 'markets', {
    code: 'US',
    currency: 'USD',
    taxBps: taxTerms[number].standardBps,
    taxRates: Object.entries(taxTerms[number].categoryBps).map(([category, taxBps]) => ({
      category,
      taxBps,
    })),
  });
  for (const [id, rate] of Object.entries(shippingRates))
    await createResource(t, shop, 'shipping-methods', {
      id,
      name: id,
      prices: [{ marketId: 'US', ...rate }],
    });
  const blocks = [
    { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 80 } },
    { id: 'about', type: 'RELATIONSHIP', label: 'About', settings: { targetType: 'PRODUCT' } },
  ];
  const journalId = await createResource(t, shop, 'collections', { name: 'Journal', blocks });
  const newsletterId = await createResource(t, shop, 'collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    blocks,
    plans: Object.entries(plans).map(([id, amount]) => ({
      id,
      name: id,
      price: { amount, currency: 'usd', ...(id === 'once' ? {} : { interval: 'MONTHLY' }) },
    })),
  });
  await createResource(t, shop, 'webhooks', { url: 'https://hooks.example/in', events: ['*'] });
  return { ...shop, number, journalId, newsletterId };
}

export async function createResource(
  t: TestApp,
  { businessId, admin }: Shop,
  resource: string,
  body: object,
): Promise<string> {
  const response = await t.rest<{ id?: string }>('POST', `/v1/businesses/${businessId}/${resource}`, {
    as: admin,
    body,
  });
  if (response.status !== 200) throw new Error(`POST ${resource} failed: ${JSON.stringify(response.body)}`);
  return response.body.id ?? '';
}

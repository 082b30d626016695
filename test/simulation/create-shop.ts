/** A shop to walk in: a market, two ways to ship, a journal and a newsletter. */
import type { Shop, TestApp } from '../support/test-app.ts';
import type { ShopNumber, PriceTerms } from './model.ts';
import type { KnownShop } from './world.ts';

export const taxBps = 825;
export const shippingRates: Readonly<Record<string, PriceTerms['shipping']>> = {
  standard: { price: 590, freeAbove: 10_000 },
  pickup: { price: 0 },
};
export const plans: Readonly<Record<string, number>> = { free: 0, once: 700, silver: 500, gold: 2000 };

export async function createShop(t: TestApp, number: ShopNumber): Promise<KnownShop> {
  const shop = await t.shop();
  await make(t, shop, 'markets', { code: 'US', currency: 'USD', taxBps });
  for (const [id, rate] of Object.entries(shippingRates))
    await make(t, shop, 'shipping-methods', { id, name: id, prices: [{ marketId: 'US', ...rate }] });
  const blocks = [
    { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 80 } },
    { id: 'about', type: 'RELATIONSHIP', label: 'About', settings: { targetType: 'PRODUCT' } },
  ];
  const journal = await make(t, shop, 'collections', { name: 'Journal', blocks });
  const letters = await make(t, shop, 'collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    blocks,
    plans: Object.entries(plans).map(([id, amount]) => ({
      id,
      name: id,
      price: { amount, currency: 'usd', ...(id === 'once' ? {} : { interval: 'MONTHLY' }) },
    })),
  });
  await make(t, shop, 'webhooks', { url: 'https://hooks.example/in', events: ['*'] });
  return { ...shop, number, journalId: journal, newsletterId: letters };
}

async function make(t: TestApp, { businessId, admin }: Shop, what: string, body: object): Promise<string> {
  const answer = await t.rest<{ id?: string }>('POST', `/v1/businesses/${businessId}/${what}`, {
    as: admin,
    body,
  });
  if (answer.status !== 200) throw new Error(`No ${what}: ${JSON.stringify(answer.body)}`);
  return answer.body.id ?? '';
}

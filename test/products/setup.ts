/** Shared setup of the product tests: an app with a shop and a guest, and helpers for requests. */
import { beforeAll, expect } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
export let shop: Shop;
export let guest: Person;

beforeAll(async () => {
  t = await testApp();
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
});

export const pathOf = ({ businessId }: Shop) => `/v1/businesses/${businessId}/products`;

export interface Item {
  id: string;
  name: string;
  slug: string;
  version: number;
  variants: { id: string; sku?: string; name: string; inventory: { quantity: number } }[];
  statuses: { id: string; status: string; changedBy: string; userId?: string; timestamp: number }[];
}

export const create = async (body: object, at = shop) => {
  const answer = await t.rest<Item>('POST', pathOf(at), { as: at.admin, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

export const list = (query: string, as = guest, at = shop) =>
  t.rest<{ items: Item[]; cursor: string | null }>('GET', `${pathOf(at)}?${query}`, { as });

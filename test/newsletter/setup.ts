/** Test setup: one app with two shops, a newsletter with plans, and a fake payment provider. */
import { beforeAll } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { createFakePayments } from '../support/fake-payments.ts';

export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let guest: Person;
export let editor: Person;
export let base: string;
export let newsletterId: string;
export const { payments, sessions, expired, state } = createFakePayments();

export interface Subscription {
  id: string;
  status: string;
  planId?: string;
  checkoutUrl?: string;
}

beforeAll(async () => {
  t = await testApp();
  Object.assign(t.app.services, { payments });
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.addMember(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}/collections`;
  newsletterId = await createNewsletter();
});

const plans = [
  { id: 'free', name: 'Free' },
  { id: 'zero', name: 'Zero', price: { amount: 0, currency: 'usd', interval: 'MONTHLY' } },
  { id: 'pro', name: 'Pro', price: { amount: 900, currency: 'usd', interval: 'MONTHLY' } },
  { id: 'max', name: 'Max', price: { amount: 1900, currency: 'usd', interval: 'MONTHLY' } },
];

export async function createNewsletter(of: Shop = shop, body: object = {}): Promise<string> {
  const { body: created } = await t.rest<{ id: string }>(
    'POST',
    `/v1/businesses/${of.businessId}/collections`,
    { as: of.admin, body: { name: 'Letter', type: 'NEWSLETTER', plans, ...body } },
  );
  return created.id;
}

export const uniqueEmail = () => `${newId()}@mail.example`;
export const subscribe = (
  body: object,
  { list = newsletterId, as = guest }: { list?: string; as?: Person } = {},
) => t.rest<Subscription>('POST', `${base}/${list}/subscribe`, { as, body });
export const statusOf = async (id: string) =>
  (await t.db.prisma.subscription.findUniqueOrThrow({ where: { id } })).status;
export const idOf = async (email: string) =>
  (await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email.toLowerCase() } })).id;

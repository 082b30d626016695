/** A shop with an editor, for tests of collections. */
import { beforeAll, expect } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let guest: Person;
export let editor: Person;
export let collections: string;

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.addMember(shop, await t.person(), 'EDITOR');
  collections = `/v1/businesses/${shop.businessId}/collections`;
});

export const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
export const createCollection = <Body = { id: string; slug: string; version: number }>(
  body: object,
  as: Person = editor,
) => t.rest<Body>('POST', collections, { as, body });

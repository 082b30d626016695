/** Shared setup of the entry tests: one app, two businesses, an editor, and request helpers. */
import { beforeAll, expect } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let guest: Person;
export let editor: Person;
export let base: string;
export let entries: string;

export interface Entry {
  id: string;
  version: number;
  blocks: { id: string; value: unknown }[];
}

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.addMember(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}`;
  entries = `${base}/entries`;
});

export const createCollection = async (body: object = {}) => {
  const created = await t.rest<{ id: string; slug: string }>('POST', `${base}/collections`, {
    as: editor,
    body: {
      name: 'Blog',
      blocks: [
        { id: 'title', type: 'TEXT', required: true, settings: { maxLength: 20 } },
        { id: 'slug', type: 'TEXT' },
      ],
      ...body,
    },
  });
  expect(created.status).toBe(200);
  return created.body;
};

export const createEntry = (body: object, as: Person = editor) =>
  t.rest<Entry>('POST', entries, { as, body });
export const titleBlock = (value: unknown) => ({ id: 'title', type: 'TEXT', value });
export const slugBlock = (value: unknown) => ({ id: 'slug', type: 'TEXT', value });
export const idsOf = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id);
export const listEntries = (query: string, as: Person = editor) =>
  t.rest<{ items: Entry[]; cursor: string | null }>('GET', `${entries}?${query}`, { as });

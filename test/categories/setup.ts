/** Two shops and request helpers for tests of categories. */
import { beforeAll } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let guest: Person;

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
});

export interface CategoryBody {
  id: string;
  parentId?: string;
  slug: string;
  name: string;
  description: string;
  position: number;
  version: number;
}

export interface Listed<T> {
  items: T[];
  cursor?: string | null;
}

export const call = <Body = CategoryBody>(
  method: string,
  path: string,
  body?: object,
  { as, of = shop }: { as?: Person; of?: Shop } = {},
) =>
  t.rest<Body>(method, `/v1/businesses/${of.businessId}/${path}`, {
    as: as ?? of.admin,
    ...(body ? { body } : {}),
  });

/** Creates a record of the shop and returns its body; throws on an error. */
export async function create<Body = CategoryBody>(path: string, body: object, of?: Shop): Promise<Body> {
  const response = await call<Body>('POST', path, body, of ? { of } : {});
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body;
}

export const createCategory = (body: object, of?: Shop) => create('categories', body, of);

export const addProductIn = (category: string, body: object = {}) =>
  create<{ id: string; category: string }>('products', { name: `In ${category}`, category, ...body });

export const slugsOf = async (query = '', as?: Person) =>
  (await call<Listed<CategoryBody>>('GET', `categories${query}`, undefined, as ? { as } : {})).body.items.map(
    ({ slug }) => slug,
  );

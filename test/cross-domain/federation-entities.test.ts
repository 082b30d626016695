/** Query `_entities`: the same visibility as the query of each type, one statement per type, and limits. */
import { beforeAll, describe, expect, it } from 'vitest';
import { federationEntityTypes } from '../../src/domains/cross-domain/federation/entities.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let customer: Person;
let guest: Person;
let outsider: Person;
const keys: Record<string, { __typename: string; [field: string]: string }> = {};

beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
  [customer, guest] = [await t.person(), await t.guest()];
  outsider = (await t.shop()).admin;
  const { businessId } = shop;
  const base = `/v1/businesses/${businessId}`;
  const add = async (path: string, body: object, as = shop.admin) =>
    (await t.rest<{ id: string }>('POST', `${base}/${path}`, { as, body })).body.id;
  const pot = await addProduct(t, shop, { price: 1000, stock: 5, name: 'Pot' });
  keys.product = { __typename: 'Product', id: pot.productId };
  keys.variant = { __typename: 'Variant', id: pot.variantId };
  keys.slug = { __typename: 'Product', businessId, slug: 'pot' };
  keys.draft = { __typename: 'Product', id: await add('products', { name: 'Secret', status: 'DRAFT' }) };
  keys.draftSlug = { __typename: 'Product', businessId, slug: 'secret' };
  const hidden = await addProduct(t, shop, { price: 1000, stock: 5, name: 'Hidden' });
  await t.rest('PUT', `${base}/products/${hidden.productId}`, {
    as: shop.admin,
    body: { status: 'ARCHIVED' },
  });
  keys.hiddenVariant = { __typename: 'Variant', id: hidden.variantId };
  const collectionId = await add('collections', { name: 'Open' });
  keys.collection = { __typename: 'Collection', id: collectionId };
  keys.entry = {
    __typename: 'Entry',
    id: await add('entries', { collectionId, status: 'PUBLISHED', blocks: [] }),
  };
  keys.unpublished = { __typename: 'Entry', id: await add('entries', { collectionId, blocks: [] }) };
  keys.category = { __typename: 'Category', id: await add('categories', { name: 'Kitchen' }) };
  keys.order = { __typename: 'Order', id: await createEmptyOrder(t, shop, customer) };
  keys.cart = { __typename: 'Cart', id: await add('carts', { market: 'US' }, customer) };
  keys.business = { __typename: 'Business', id: businessId };
  const form = await t.rest<{ mediaId: string }>('POST', `${base}/media`, {
    as: shop.admin,
    body: { fileName: 'pot.png', contentType: 'image/png', size: 100 },
  });
  keys.file = { __typename: 'MediaFile', id: form.body.mediaId };
  keys.customer = { __typename: 'User', id: customer.userId };
});

const document = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  __typename ... on Product { id name } ... on Variant { id sku } ... on Order { id total } ... on Business { id name }
  ... on Category { id name }
  ... on User { id name } ... on Entry { id } ... on Collection { id } ... on MediaFile { id } ... on Cart { id } } }`;

const find = (representations: readonly unknown[], as?: Person, headers?: Record<string, string>) =>
  t.graphql(document, { representations }, { as, ...(headers ? { headers } : {}) });

const visibleTo = async (as: Person): Promise<string[]> => {
  const { data, errors } = await find(Object.values(keys), as);
  expect(errors).toEqual([]);
  const entities = (data as never as { _entities: ({ __typename: string; id: string } | null)[] })._entities;
  for (const [index, key] of Object.values(keys).entries()) {
    const entity = entities[index];
    if (entity) expect(entity.__typename).toBe(key.__typename);
    if (entity && key.id !== undefined) expect(entity.id).toBe(key.id);
  }
  return Object.keys(keys).filter((_name, index) => entities[index]);
};

/** Records of two businesses by type and key. */
async function addRecordsOfEveryType() {
  const records = new Map<string, Record<string, string>[]>();
  const add = (name: string, record: Record<string, string>) =>
    records.set(name, [...(records.get(name) ?? []), record]);
  for (const place of [shop, await createSellingShop(t)]) {
    const { businessId, admin } = place;
    const create = async (path: string, body: object, as: Person = admin) => {
      const { status, body: created } = await t.rest<{ id: string; mediaId: string }>(
        'POST',
        `/v1/businesses/${businessId}/${path}`,
        { as, body },
      );
      expect(status).toBe(200);
      return created.id ?? created.mediaId;
    };
    add('Business', { __typename: 'Business', id: businessId });
    add('Cart', { __typename: 'Cart', id: await create('carts', { market: 'US' }, customer) });
    for (const name of ['First', 'Second', 'Third']) {
      const { productId, variantId } = await addProduct(t, place, { price: 1000, stock: 5, name });
      add('Product', { __typename: 'Product', id: productId });
      add('Product by slug', { __typename: 'Product', businessId, slug: name.toLowerCase() });
      add('Variant', { __typename: 'Variant', id: variantId });
      add('Order', { __typename: 'Order', id: await createEmptyOrder(t, place, customer) });
      add('Category', { __typename: 'Category', id: await create('categories', { name }) });
      const collectionId = await create('collections', { name });
      add('Collection', { __typename: 'Collection', id: collectionId });
      const entry = { collectionId, status: 'PUBLISHED', blocks: [] };
      add('Entry', { __typename: 'Entry', id: await create('entries', entry) });
      const file = { fileName: `${name}.png`, contentType: 'image/png', size: 100 };
      add('MediaFile', { __typename: 'MediaFile', id: await create('media', file) });
    }
  }
  add('User', { __typename: 'User', id: customer.userId });
  add('User', { __typename: 'User', id: shop.admin.userId });
  expect(new Set([...records.values()].map(([record]) => record?.__typename))).toEqual(
    new Set(federationEntityTypes),
  );
  return Object.fromEntries(records);
}

const unknownKey = (record: Record<string, string> | undefined, index: number) =>
  record?.slug === undefined ? { id: newId() } : { slug: `none-${index}` };

describe('_entities', () => {
  const publicNames = ['product', 'variant', 'slug', 'collection', 'entry', 'category'];

  it('follow the visibility rules of each type, with null for other records', async () => {
    expect(await visibleTo(guest)).toEqual([...publicNames, 'business']);
    expect(await visibleTo(outsider)).toEqual([...publicNames, 'business']);
    expect(await visibleTo(customer)).toEqual([...publicNames, 'order', 'cart', 'business', 'customer']);
    expect(await visibleTo(shop.admin)).toEqual(Object.keys(keys).filter((name) => name !== 'customer'));
    const limited = await t.withApiKey(shop.admin, ['ORDERS_READ']);
    expect(await visibleTo(limited)).toEqual([...publicNames, 'order', 'cart', 'business']);
  });

  it('require authentication', async () => {
    const { errors } = await find([keys.product]);
    expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('use a constant number of statements for any number of representations of a type', async () => {
    const recordsByKey = await addRecordsOfEveryType();
    const statements: Record<string, number> = {};
    for (const [key, records] of Object.entries(recordsByKey)) {
      const hundred = Array.from(
        { length: 100 },
        (_, index) => records[index] ?? { ...records[0], ...unknownKey(records[0], index) },
      );
      for (const as of [customer, shop.admin]) {
        const counts: number[] = [];
        for (const representations of [records, hundred]) {
          t.statements.length = 0;
          const { errors } = await find(representations, as);
          expect(errors).toEqual([]);
          counts.push(t.statements.length);
        }
        expect([key, counts[1]]).toEqual([key, counts[0]]);
        statements[key] = Math.max(statements[key] ?? 0, ...counts);
      }
    }
    const { User, MediaFile, ...others } = statements;
    expect(new Set(Object.values(others))).toEqual(new Set([1]));
    // The businesses whose files the viewer may see are read before; a user reads their own account with its parts.
    expect({ User, MediaFile }).toEqual({ User: 5, MediaFile: 2 });
    const all = Object.values(keys);
    const counts: number[] = [];
    for (const length of [all.length, 100]) {
      t.statements.length = 0;
      const mixed = Array.from({ length }, (_, index) => all[index] ?? { __typename: 'Order', id: newId() });
      await find(mixed, customer);
      counts.push(t.statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('ignore further fields, letter case of ids, and prefer the id', async () => {
    const { data } = await find(
      [
        { ...keys.product, price: 3, slug: 'other', businessId: shop.businessId },
        { __typename: 'Product', id: keys.product?.id?.toUpperCase() },
        { __typename: 'Order', id: "'; --" },
        { __typename: 'Product', businessId: 'x', slug: 'pot' },
      ],
      guest,
    );
    const pot = { __typename: 'Product', id: keys.product?.id, name: 'Pot' };
    expect(data).toEqual({ _entities: [pot, pot, null, null] });
  });

  it('reject malformed representations, all at once', async () => {
    const malformed = [
      { __typename: 'Nothing', id: newId() },
      { __typename: 'toString', id: newId() },
      { __typename: 'Product', slug: 'pot' },
      { __typename: 'Product', id: 3 },
      { id: newId() },
      'Product',
      [],
    ];
    const { data, errors } = await find([keys.product, ...malformed], guest);
    expect(data).toBeNull();
    expect(errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(errors[0]?.extensions.details.map(({ field }) => field)).toEqual(
      malformed.map((_value, index) => `representations.${index + 1}`),
    );
  });

  it('accept at most 1,000 representations, charged by number', async () => {
    const many = (length: number) => Array.from({ length }, () => ({ __typename: 'Order', id: newId() }));
    const thousand = await find(many(1_000), customer);
    expect(thousand.errors).toEqual([]);
    const tooMany = await find(many(1_001), customer);
    expect(tooMany.errors[0]?.extensions.details).toMatchObject([
      { field: 'representations', error: 'TOO_LONG' },
    ]);
    const fields = Array.from({ length: 100 }, (_, n) => `f${n}: id`).join(' ');
    const wide = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Product { ${fields} } } }`;
    expect((await t.graphql(wide, { r: many(10) }, { as: customer })).errors).toEqual([]);
    const heavy = await t.graphql(wide, { r: many(1_000) }, { as: customer });
    expect(heavy.errors[0]?.message).toContain('too complex');
  });

  it('reject thousands of representations and deep selections within milliseconds', async () => {
    const deep = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Business { ${'products { nodes { business { '.repeat(7)} id ${'} } }'.repeat(7)} } } }`;
    const nested = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Business {
      products(first: 100) { nodes { business { products(first: 100) { nodes { id } } } } } } } }`;
    const business = (length: number) => Array.from({ length }, () => keys.business);
    const aliases = Array.from({ length: 60 }, (_, n) => `s${n}: _service { sdl }`).join(' ');
    const before = performance.now();
    for (const [query, variables, part] of [
      [deep, { r: business(1) }, 'too deep'],
      [nested, { r: business(100) }, 'too complex'],
      [document, { representations: business(8_000) }, 'not valid'],
      [`{ ${aliases} }`, {}, 'too complex'],
    ] as const) {
      const { errors } = await t.graphql(query, variables, { as: customer });
      expect(errors[0]?.message).toContain(part);
    }
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it('return the same compiled as interpreted', async () => {
    const inline = `{ _entities(representations: [{__typename: "Product", id: "${keys.product?.id}"}]) { ... on Product { name } } }`;
    const withVariable = `query ($id: ID!) { _entities(representations: [{__typename: "Product", id: $id}]) { ... on Product { name } } }`;
    for (let run = 0; run < 4; run += 1)
      for (const query of [inline, withVariable]) {
        const { data } = await t.graphql(query, { id: keys.product?.id }, { as: guest });
        expect(data).toEqual({ _entities: [{ name: 'Pot' }] });
      }
  });
});

describe('_service', () => {
  it('returns the subgraph schema to every caller', async () => {
    const { data } = await t.graphql('{ _service { sdl } }');
    expect((data as never as { _service: { sdl: string } })._service.sdl).toContain(
      '@key(fields: "businessId slug")',
    );
  });
});

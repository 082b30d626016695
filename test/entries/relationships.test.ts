/** Relationship blocks: targets must belong to the business, and do not bypass visibility rules. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let base: string;
let home: string;

const schema = ['USER', 'PRODUCT', 'ENTRY', 'COLLECTION', 'ORDER'].map((targetType) => ({
  id: targetType.toLowerCase(),
  type: 'RELATIONSHIP',
  settings: { targetType },
}));

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  base = `/v1/businesses/${shop.businessId}`;
  home = await createRecord(shop, 'collections', { name: 'Home', blocks: schema });
});

async function createRecord(of: Shop, noun: string, body: object): Promise<string> {
  const answer = await t.rest<{ id: string }>('POST', `/v1/businesses/${of.businessId}/${noun}`, {
    as: of.admin,
    body,
  });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

const createLinkedEntry = (targets: Record<string, unknown>) =>
  t.rest<{ id: string; details: { field: string; error: string }[] }>('POST', `${base}/entries`, {
    as: shop.admin,
    body: {
      collectionId: home,
      status: 'PUBLISHED',
      blocks: Object.entries(targets).map(([id, value]) => ({ id, type: 'RELATIONSHIP', value })),
    },
  });

const related = `fragment Related on BlockValue { value asRelationship {
  __typename ... on Person { id: userId name } ... on Product { id name } ... on Collection { id slug } ... on Entry { id status } } }`;

const read = async (id: string, as: Person) => {
  const answer = await t.graphql(
    `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) {
      user: block(id: "user") { ...Related } product: block(id: "product") { ...Related }
      entry: block(id: "entry") { ...Related } collection: block(id: "collection") { ...Related } } } ${related}`,
    { b: shop.businessId, id },
    { as },
  );
  expect(answer.errors).toEqual([]);
  return answer.data?.entry as unknown as Record<string, { value: string; asRelationship: object | null }>;
};

describe('writing', () => {
  it('rejects targets that are not records of the business, each by its path', async () => {
    const [product, collection] = [
      await createRecord(other, 'products', { name: 'Theirs' }),
      await createRecord(other, 'collections', { name: 'Theirs' }),
    ];
    const entry = await createRecord(other, 'entries', { collectionId: collection, blocks: [] });
    const answer = await createLinkedEntry({
      user: other.admin.userId,
      product,
      entry,
      collection,
      order: await createEmptyOrder(t, other, guest),
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `blocks.${index}.value RELATIONSHIP_NOT_FOUND`),
    );
    const guestAuthor = await createLinkedEntry({ user: guest.userId });
    expect(guestAuthor.body.details).toMatchObject([{ error: 'RELATIONSHIP_NOT_FOUND' }]);
    expect((await createLinkedEntry({ product: newId() })).status).toBe(422);
    expect((await createLinkedEntry({ order: 'not-an-order' })).status).toBe(422);
    expect((await createLinkedEntry({ product: null, user: '' })).status).toBe(200);
  });

  it('validates targets on update', async () => {
    const { body } = await createLinkedEntry({});
    const answer = await t.rest('PUT', `${base}/entries/${body.id}`, {
      as: shop.admin,
      body: { blocks: [{ id: 'product', type: 'RELATIONSHIP', value: newId() }] },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { details: [{ field: 'blocks.0.value', error: 'RELATIONSHIP_NOT_FOUND' }] },
    });
  });
});

describe('reading', () => {
  it('returns the target records under their types', async () => {
    const product = await createRecord(shop, 'products', { name: 'Cup' });
    const { body: target } = await createLinkedEntry({});
    const { body } = await createLinkedEntry({
      user: shop.admin.userId,
      product,
      entry: target.id,
      collection: home,
    });
    expect(await read(body.id, guest)).toEqual({
      user: {
        value: shop.admin.userId,
        asRelationship: { __typename: 'Person', id: shop.admin.userId, name: 'Somebody' },
      },
      product: { value: product, asRelationship: { __typename: 'Product', id: product, name: 'Cup' } },
      entry: {
        value: target.id,
        asRelationship: { __typename: 'Entry', id: target.id, status: 'PUBLISHED' },
      },
      collection: { value: home, asRelationship: { __typename: 'Collection', id: home, slug: 'home' } },
    });
  });

  it('hides draft targets from visitors and returns them to editors', async () => {
    const product = await createRecord(shop, 'products', { name: 'Soon', status: 'DRAFT' });
    const collection = await createRecord(shop, 'collections', { name: 'Soon', status: 'DRAFT', blocks: [] });
    const entry = await createRecord(shop, 'entries', { collectionId: home, blocks: [] });
    const inHidden = await createRecord(shop, 'entries', { collectionId: collection, status: 'PUBLISHED' });
    const { body } = await createLinkedEntry({ product, collection, entry });
    const hidden = await read(body.id, guest);
    expect(hidden).toMatchObject({
      user: null,
      product: { value: product, asRelationship: null },
      collection: { asRelationship: null },
      entry: { asRelationship: null },
    });
    expect(
      (await read((await createLinkedEntry({ entry: inHidden })).body.id, guest)).entry?.asRelationship,
    ).toBeNull();
    expect(await read(body.id, shop.admin)).toMatchObject({
      product: { asRelationship: { id: product } },
      collection: { asRelationship: { id: collection } },
      entry: { asRelationship: { id: entry } },
    });
    await t.rest('DELETE', `${base}/products/${product}`, { as: shop.admin });
    expect((await read(body.id, shop.admin)).product).toEqual({ value: product, asRelationship: null });
  });

  it('returns an order to its customer and to staff with ORDERS_READ; a customer may be a USER target', async () => {
    const customer = await t.person();
    const order = await createEmptyOrder(t, shop, customer);
    const { body, status } = await createLinkedEntry({ user: customer.userId, order });
    expect(status).toBe(200);
    const readOrder = async (as: Person) => {
      const { data } = await t.graphql(
        `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { block(id: "order") {
          asRelationship { __typename ... on Order { id } } } } }`,
        { b: shop.businessId, id: body.id },
        { as },
      );
      return (data?.entry as { block: { asRelationship: object | null } } | undefined)?.block.asRelationship;
    };
    const visibleOrder = { __typename: 'Order', id: order };
    expect(await readOrder(customer)).toEqual(visibleOrder);
    expect(await readOrder(shop.admin)).toEqual(visibleOrder);
    expect(await readOrder(guest)).toBeNull();
    expect(await readOrder(await t.addMember(shop, await t.person(), 'EDITOR'))).toBeNull();
    expect(await readOrder(other.admin)).toBeNull();
  });

  it('keeps the target type of stored values when the schema changes', async () => {
    const collection = await createRecord(shop, 'collections', {
      name: 'Changing',
      blocks: [{ id: 'product', type: 'RELATIONSHIP', settings: { targetType: 'PRODUCT' } }],
    });
    const product = await createRecord(shop, 'products', { name: 'Kept' });
    const id = await createRecord(shop, 'entries', {
      collectionId: collection,
      status: 'PUBLISHED',
      blocks: [{ id: 'product', type: 'RELATIONSHIP', value: product }],
    });
    await t.rest('PUT', `${base}/collections/${collection}`, {
      as: shop.admin,
      body: { blocks: [{ id: 'product', type: 'TEXT' }] },
    });
    expect((await read(id, guest)).product?.asRelationship).toMatchObject({ __typename: 'Product' });
  });

  it('uses the same number of SQL statements for 1, 10 and 100 entries', async () => {
    for (let number = 0; number < 100; number += 1) {
      const product = await createRecord(shop, 'products', { name: `P${number}` });
      await createLinkedEntry({ user: shop.admin.userId, product, collection: home });
    }
    const costs: number[] = [];
    for (const first of [1, 10, 100]) {
      t.statements.length = 0;
      const { data, errors } = await t.graphql(
        `query($b: ID!, $first: Int) { entries(businessId: $b, collectionId: "home", first: $first) { nodes { id
          collection { slug }
          user: block(id: "user") { ...Related } product: block(id: "product") { ...Related }
          in: block(id: "collection") { ...Related } } } } ${related}`,
        { b: shop.businessId, first },
        { as: guest },
      );
      expect(errors).toEqual([]);
      const nodes = (data?.entries as { nodes: { product: { asRelationship: unknown } }[] } | undefined)
        ?.nodes;
      expect(nodes).toHaveLength(first);
      expect(nodes?.[0]?.product.asRelationship).toMatchObject({ __typename: 'Product' });
      costs.push(t.statements.length);
    }
    // One statement for the current versions, one for the records missing in the cache, four for the relationships.
    expect(costs).toEqual([6, 6, 6]);
  });
});

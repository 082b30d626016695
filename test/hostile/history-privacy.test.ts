/** Status histories show user ids only to the staff of the business and to the user concerned. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { openSubscription } from '../support/sse-client.ts';

let t: TestApp;
let shop: SellingShop;
let rival: Shop;
let editor: Person;
let former: Person;
let guest: Person;
let customer: Person;
/** REST paths and GraphQL fields by the kind of record. */
const paths: Record<string, string> = {};
const fields: Record<string, string> = {};
let orderId: string;

const history = 'statuses { status changedBy userId }';

beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
  [rival, guest, customer] = await Promise.all([t.shop(), t.guest(), t.guest()]);
  editor = await t.addMember(shop, await t.person(), 'ADMIN');
  former = await t.addMember(shop, await t.person(), 'ADMIN');
  const base = `/v1/businesses/${shop.businessId}`;
  const createRecord = async (kind: string, body: object, status: string) => {
    const created = await t.rest<{ id: string }>('POST', `${base}/${kind}`, { as: former, body });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const at = `${base}/${kind}/${created.body.id}`;
    await t.rest('PUT', at, { as: editor, body: { status: 'ARCHIVED' } });
    await t.rest('PUT', at, { as: editor, body: { status } });
    return created.body.id;
  };
  const product = await createRecord('products', { name: 'Pot' }, 'ACTIVE');
  const collectionId = await createRecord('collections', { name: 'News', status: 'PUBLISHED' }, 'PUBLISHED');
  const entry = await createRecord(
    'entries',
    { collectionId, locale: 'en', status: 'PUBLISHED' },
    'PUBLISHED',
  );
  const sold = await addProduct(t, shop, { price: 1000 });
  const checkout = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: customer,
    body: {
      market: 'US',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ ...sold, quantity: 1 }],
    },
  });
  expect(checkout.status, JSON.stringify(checkout.body)).toBe(200);
  orderId = checkout.body.orderId;
  for (const [row, status] of [
    ['status', 'PROCESSING'],
    ['payment-status', 'PAID'],
  ])
    await t.rest('PUT', `${base}/orders/${orderId}/${row}`, { as: editor, body: { status } });
  await t.db.prisma.membership.deleteMany({ where: { userId: former.userId } });
  Object.assign(paths, {
    product: `${base}/products/${product}`,
    products: `${base}/products?ids=${product}`,
    'all products': `${base}/products?limit=50`,
    collection: `${base}/collections/${collectionId}`,
    collections: `${base}/collections`,
    entry: `${base}/entries/${entry}`,
    entries: `${base}/entries`,
  });
  const at = `businessId: "${shop.businessId}"`;
  Object.assign(fields, {
    product: `product(${at}, id: "${product}") { version ${history} }`,
    products: `products(${at}) { nodes { version ${history} } }`,
    collection: `collection(${at}, id: "${collectionId}") { version ${history} }`,
    collections: `collections(${at}) { nodes { ${history} } }`,
    entry: `entry(${at}, id: "${entry}") { version ${history} collection { ${history} } }`,
    entries: `entries(${at}) { nodes { ${history} collection { ${history} } } }`,
    'the product of a line': `orders(${at}) { nodes { lines { product { ${history} } } } }`,
  });
});

const fetchRest = async (path: string, as: Person) =>
  JSON.stringify((await t.rest('GET', path, { as })).body);
const fetchGraphql = async (query: string, as: Person) =>
  JSON.stringify((await t.graphql(query, {}, { as })).data);

/** Queries as several viewers alternately, often enough that compiled and cached responses are used. */
async function expectOwnHistoryOnly(query: (as: Person) => Promise<string>): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    expect(await query(editor)).toContain(editor.userId);
    for (const stranger of [guest, rival.admin]) {
      const response = await query(stranger);
      expect(response).toContain('"changedBy":"USER"');
      for (const { userId } of [editor, former, shop.admin]) expect(response).not.toContain(userId);
    }
    const formerStaffView = await query(former);
    expect(formerStaffView).toContain(former.userId);
    expect(formerStaffView).not.toContain(editor.userId);
  }
  const [staff, stranger] = await Promise.all([
    query(editor),
    query(guest),
    query(former),
    query(rival.admin),
  ]);
  expect(staff).toContain(editor.userId);
  expect(stranger).not.toContain(editor.userId);
}

describe('content and catalogue', () => {
  it.each(['product', 'products', 'all products', 'collection', 'collections', 'entry', 'entries'])(
    'REST: %s',
    (kind) => expectOwnHistoryOnly((as) => fetchRest(paths[kind] as string, as)),
  );

  it.each(['product', 'products', 'collection', 'collections', 'entry', 'entries'])('GraphQL: %s', (kind) =>
    expectOwnHistoryOnly((as) => fetchGraphql(`{ ${fields[kind]} }`, as)),
  );

  it('hides user ids in the product of an order line', async () => {
    const query = `{ ${fields['the product of a line']} }`;
    expect(await fetchGraphql(query, editor)).toContain(shop.admin.userId);
    const response = await fetchGraphql(query, customer);
    expect(response).toContain('"changedBy":"USER"');
    expect(response).not.toContain(shop.admin.userId);
  });
});

describe('an order', () => {
  const twoHistories = `${history} paymentStatus { status changedBy userId }`;
  const at = () => `businessId: "${shop.businessId}"`;

  it('shows its customer their own steps, without the ids of the staff', async () => {
    for (const response of [
      await fetchRest(`${shop.orders}/${orderId}`, customer),
      await fetchRest(shop.orders, customer),
      await fetchGraphql(`{ order(${at()}, id: "${orderId}") { ${twoHistories} } }`, customer),
      await fetchGraphql(`{ orders(${at()}) { nodes { ${twoHistories} } } }`, customer),
    ]) {
      expect(response).toContain(customer.userId);
      expect(response).toContain('PROCESSING');
      expect(response).not.toContain(editor.userId);
    }
    for (const response of [
      await fetchRest(`${shop.orders}/${orderId}`, editor),
      await fetchRest(shop.orders, editor),
      await fetchGraphql(`{ order(${at()}, id: "${orderId}") { ${twoHistories} } }`, editor),
    ])
      expect(response).toContain(editor.userId);
  });

  it('applies the same rules to live updates', async () => {
    const query = `subscription { orderChanged(${at()}, id: "${orderId}") { ${twoHistories} } }`;
    for (const [as, showsStaff] of [
      [customer, false],
      [editor, true],
    ] as const) {
      const stream = await openSubscription(t, query, {}, { as });
      await expect.poll(() => stream.received.length).toBe(1);
      await stream.close();
      expect(JSON.stringify(stream.received).includes(editor.userId)).toBe(showsStaff);
    }
  });
});

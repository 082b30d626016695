/** Who did what at a business is for its staff, and for the person themself: histories tell nobody else. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { subscribed } from '../support/live.ts';
import { addProduct, type SellingShop, sellingShop } from '../support/selling.ts';

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
  shop = await sellingShop(t);
  [rival, guest, customer] = await Promise.all([t.shop(), t.guest(), t.guest()]);
  editor = await t.hire(shop, await t.person(), 'ADMIN');
  former = await t.hire(shop, await t.person(), 'ADMIN');
  const base = `/v1/businesses/${shop.businessId}`;
  const make = async (kind: string, body: object, status: string) => {
    const made = await t.rest<{ id: string }>('POST', `${base}/${kind}`, { as: former, body });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const at = `${base}/${kind}/${made.body.id}`;
    await t.rest('PUT', at, { as: editor, body: { status: 'ARCHIVED' } });
    await t.rest('PUT', at, { as: editor, body: { status } });
    return made.body.id;
  };
  const product = await make('products', { name: 'Pot' }, 'ACTIVE');
  const collectionId = await make('collections', { name: 'News', status: 'PUBLISHED' }, 'PUBLISHED');
  const entry = await make('entries', { collectionId, locale: 'en', status: 'PUBLISHED' }, 'PUBLISHED');
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

const rest = async (path: string, as: Person) => JSON.stringify((await t.rest('GET', path, { as })).body);
const graphql = async (query: string, as: Person) =>
  JSON.stringify((await t.graphql(query, {}, { as })).data);

/** Asked in turn and often enough that texts are put together, and then known by heart. */
async function inTurn(ask: (as: Person) => Promise<string>): Promise<void> {
  for (let time = 0; time < 4; time += 1) {
    expect(await ask(editor)).toContain(editor.userId);
    for (const stranger of [guest, rival.admin]) {
      const seen = await ask(stranger);
      expect(seen).toContain('"changedBy":"USER"');
      for (const { userId } of [editor, former, shop.admin]) expect(seen).not.toContain(userId);
    }
    const own = await ask(former);
    expect(own).toContain(former.userId);
    expect(own).not.toContain(editor.userId);
  }
  const [staff, stranger] = await Promise.all([ask(editor), ask(guest), ask(former), ask(rival.admin)]);
  expect(staff).toContain(editor.userId);
  expect(stranger).not.toContain(editor.userId);
}

describe('content and catalogue', () => {
  it.each(['product', 'products', 'all products', 'collection', 'collections', 'entry', 'entries'])(
    'REST: %s',
    (kind) => inTurn((as) => rest(paths[kind] as string, as)),
  );

  it.each(['product', 'products', 'collection', 'collections', 'entry', 'entries'])('GraphQL: %s', (kind) =>
    inTurn((as) => graphql(`{ ${fields[kind]} }`, as)),
  );

  it('through an order: the product of a line', async () => {
    const query = `{ ${fields['the product of a line']} }`;
    expect(await graphql(query, editor)).toContain(shop.admin.userId);
    const seen = await graphql(query, customer);
    expect(seen).toContain('"changedBy":"USER"');
    expect(seen).not.toContain(shop.admin.userId);
  });
});

describe('an order', () => {
  const twoHistories = `${history} paymentStatus { status changedBy userId }`;
  const at = () => `businessId: "${shop.businessId}"`;

  it('tells its customer their own steps, and not who of the staff took the others', async () => {
    for (const seen of [
      await rest(`${shop.orders}/${orderId}`, customer),
      await rest(shop.orders, customer),
      await graphql(`{ order(${at()}, id: "${orderId}") { ${twoHistories} } }`, customer),
      await graphql(`{ orders(${at()}) { nodes { ${twoHistories} } } }`, customer),
    ]) {
      expect(seen).toContain(customer.userId);
      expect(seen).toContain('PROCESSING');
      expect(seen).not.toContain(editor.userId);
    }
    for (const seen of [
      await rest(`${shop.orders}/${orderId}`, editor),
      await rest(shop.orders, editor),
      await graphql(`{ order(${at()}, id: "${orderId}") { ${twoHistories} } }`, editor),
    ])
      expect(seen).toContain(editor.userId);
  });

  it('tells the same live', async () => {
    const query = `subscription { orderChanged(${at()}, id: "${orderId}") { ${twoHistories} } }`;
    for (const [as, tells] of [
      [customer, false],
      [editor, true],
    ] as const) {
      const stream = await subscribed(t, query, {}, { as });
      await expect.poll(() => stream.received.length).toBe(1);
      await stream.close();
      expect(JSON.stringify(stream.received).includes(editor.userId)).toBe(tells);
    }
  });
});

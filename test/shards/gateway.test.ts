/** A gateway on two database servers: each business is on one, and an operation reads and writes that one alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { loadStock } from '../support/shop-fixtures.ts';
import { createTwoSides, type Side } from './setup.ts';

let home: Db;
let second: Db;
let onHome: Side;
let onSecond: Side;
let person: Person;

beforeAll(async () => {
  ({ home, second, onHome, onSecond } = await createTwoSides());
  person = await onHome.t.person({ name: 'Ada' });
});

const sides = (): [string, Side][] => [
  ['home', onHome],
  ['second', onSecond],
];

const countRows = async (db: Db, table: string, { shop }: Side) =>
  Number(
    (
      await db.sql<{ count: number }>(`select count(*)::int as count from ${table} where business_id = $1`, [
        shop.businessId,
      ])
    )?.[0]?.count,
  );

const productNames = 'query P($id: ID!) { products(businessId: $id) { nodes { name version } } }';

describe('a business', () => {
  it('has its rows on its server alone', async () => {
    for (const table of ['products', 'variants', 'changes']) {
      expect([
        table,
        (await countRows(home, table, onHome)) > 0,
        await countRows(second, table, onHome),
      ]).toEqual([table, true, 0]);
      expect([
        table,
        await countRows(home, table, onSecond),
        (await countRows(second, table, onSecond)) > 0,
      ]).toEqual([table, 0, true]);
    }
  });

  it('is read on its server in both protocols, repeatedly, and alternating with another one', async () => {
    for (let round = 0; round < 6; round += 1)
      for (const [name, { t, shop, pot }] of sides()) {
        const rest = await t.rest('GET', `/v1/businesses/${shop.businessId}/products/${pot.productId}`, {
          as: shop.admin,
        });
        expect([name, rest.status, rest.body]).toEqual([name, 200, expect.objectContaining({ name: 'Pot' })]);
        const { data, errors } = await t.graphql(productNames, { id: shop.businessId }, { as: shop.admin });
        expect([errors, data]).toEqual([[], { products: { nodes: [{ name: 'Pot', version: 1 }] } }]);
      }
  });

  it('grants its roles on its server only', async () => {
    for (const [, { t, shop }] of sides()) {
      const can = 'query C($id: ID!) { viewerCan(businessId: $id, permission: ADMIN) }';
      expect((await t.graphql(can, { id: shop.businessId }, { as: shop.admin })).data).toEqual({
        viewerCan: true,
      });
      expect((await t.graphql(can, { id: shop.businessId }, { as: person })).data).toEqual({
        viewerCan: false,
      });
      const other = shop === onHome.shop ? onSecond.shop : onHome.shop;
      expect((await t.graphql(can, { id: other.businessId }, { as: shop.admin })).data).toEqual({
        viewerCan: false,
      });
    }
  });

  it('rejects a session that has ended on the home server', async () => {
    const { tokens } = onHome.t.app.services;
    const { token } = await tokens.issueAccess({
      sub: newId(),
      provider: 'EMAIL',
      email: 'gone@people.example',
    });
    for (const [name, { t, shop }] of sides()) {
      const { status } = await t.rest('GET', `/v1/businesses/${shop.businessId}/orders`, {
        as: { userId: '', token },
      });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  it('is found by its slug on every server', async () => {
    for (const [, { t, shop }] of sides()) {
      const { body } = await t.rest('GET', `/v1/businesses/shop-${shop.businessId}`, { as: shop.admin });
      expect(body).toMatchObject({ id: shop.businessId });
    }
  });
});

describe('an order', () => {
  it.each(['home', 'second'])('is placed, paid and read on %s', async (name) => {
    const side = name === 'home' ? onHome : onSecond;
    const { t, shop, pot } = side;
    const before = (await loadStock(t, pot)) ?? 0;
    const headers = { 'idempotency-key': newId() };
    const body = {
      businessId: shop.businessId,
      market: 'US',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ ...pot, quantity: 2 }],
    };
    const checkout = () =>
      t.rest<{ orderId: string; checkoutUrl: string }>('POST', `${shop.orders}/checkout`, {
        as: person,
        headers,
        body,
      });
    const { status, body: placed } = await checkout();
    expect(status).toBe(200);
    expect((await checkout()).body).toEqual(placed);
    expect(await loadStock(t, pot)).toBe(before - 2);
    const { orderId, checkoutUrl } = placed;
    const paid = await t.app.fetch(
      new Request(checkoutUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'action=pay',
      }),
    );
    expect(paid.status).toBe(303);
    await t.app.drainJobs();
    const order = await t.rest<{ paymentStatus: { status: string }[] }>('GET', `${shop.orders}/${orderId}`, {
      as: person,
    });
    expect(order.body).toMatchObject({ id: orderId, customerId: person.userId });
    expect(order.body.paymentStatus.at(-1)).toMatchObject({ status: 'PAID' });
    const { data, errors } = await t.graphql(
      'query O($id: ID!) { orders(businessId: $id) { nodes { id customer { name } } } }',
      { id: shop.businessId },
      { as: shop.admin },
    );
    expect([errors, data]).toEqual([[], { orders: { nodes: [{ id: orderId, customer: { name: 'Ada' } }] } }]);
    const [ours, others] = name === 'home' ? ([home, second] as const) : ([second, home] as const);
    for (const table of ['orders', 'payment_attempts', 'payment_events'])
      expect([table, await ours.sql(`select 1 from ${table}`).then(({ length }) => length)]).toEqual([
        table,
        1,
      ]);
    expect(await countRows(others, 'orders', side)).toBe(0);
    expect(await t.outbox('nobody@people.example')).toEqual([]);
  });
});

describe('an account', () => {
  it('sees its roles on all servers', async () => {
    const { t, shop } = onHome;
    await onSecond.t.addMember(onSecond.shop, shop.admin, 'EDITOR');
    const me = 'query M { me { memberships { business { id } role { name } } } }';
    expect((await t.graphql(me, {}, { as: shop.admin })).data).toEqual({
      me: {
        memberships: [
          { business: { id: shop.businessId }, role: { name: 'ADMIN' } },
          { business: { id: onSecond.shop.businessId }, role: { name: 'EDITOR' } },
        ],
      },
    });
  });

  it('creates a business on the server with the weight, once for an Idempotency-Key', async () => {
    const { t } = onHome;
    const headers = { 'idempotency-key': newId() };
    const create = () =>
      t.rest<{ id: string }>('POST', '/v1/businesses', { as: person, headers, body: { name: 'New shop' } });
    const { status, body } = await create();
    expect(status).toBe(200);
    expect((await create()).body).toEqual(body);
    const { id } = body;
    expect(await home.prisma.businessPlacement.findMany({ where: { businessId: id } })).toMatchObject([
      { shard: 'second' },
    ]);
    expect(await home.prisma.business.count({ where: { id } })).toBe(0);
    expect(await second.prisma.membership.count({ where: { businessId: id, userId: person.userId } })).toBe(
      1,
    );
    expect((await t.rest('GET', `/v1/businesses/${id}`, { as: person })).body).toMatchObject({
      name: 'New shop',
    });
    // The slug of a business is unique on all servers.
    const slug = `shop-${onHome.shop.businessId}`;
    const taken = await t.rest('POST', '/v1/businesses', { as: person, body: { name: 'Copy', slug } });
    expect([taken.status, JSON.stringify(taken.body)]).toEqual([422, expect.stringContaining('SLUG_TAKEN')]);
    expect(await home.prisma.businessPlacement.count()).toBe(2);
  });
});

describe('a query', () => {
  const ids = () => ({ a: onHome.shop.businessId, b: onSecond.shop.businessId });
  const fields = (id: string) => `products(businessId: ${id}) { nodes { name } }`;

  it('reads businesses on different servers and an account, also in fragments', async () => {
    const query = `query D($a: ID!, $b: ID!, $skip: Boolean = true) { b: ${fields('$b')} ...F __typename
      ... on Query @skip(if: $skip) { skipped: ${fields('$b')} } node(id: $b) { id } }
      fragment F on Query { a: ${fields('$a')} me { name ...U } } fragment U on User { id }`;
    const products = { nodes: [{ name: 'Pot' }] };
    for (let round = 0; round < 4; round += 1) {
      const { data, errors } = await onHome.t.graphql(query, ids(), { as: person });
      expect([errors, JSON.stringify(data)]).toEqual([
        [],
        JSON.stringify({
          b: products,
          a: products,
          me: { name: 'Ada', id: person.userId },
          __typename: 'Query',
          node: { id: ids().b },
        }),
      ]);
    }
  });

  it('reports the errors of each server with their paths', async () => {
    const members = (id: string) => `members(businessId: ${id}) { nodes { user { id } } }`;
    const query = `query E($a: ID!, $b: ID!) { a: ${members('$a')} b: ${members('$b')} cart: myCart(businessId: $b) { id } }`;
    const { data, errors } = await onHome.t.graphql(query, ids(), { as: person });
    expect([data, errors.map(({ path, extensions }) => [path, extensions.code])]).toEqual([
      null,
      [
        [['a'], 'FORBIDDEN'],
        [['b'], 'FORBIDDEN'],
      ],
    ]);
  });
});

describe('an operation is rejected', () => {
  const reject = async (query: string, variables: Record<string, unknown>, message: string) => {
    const { errors } = await onHome.t.graphql(query, variables, { as: onHome.shop.admin });
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'BAD_REQUEST' } },
    ]);
  };
  const ids = () => ({ a: onHome.shop.businessId, b: onSecond.shop.businessId });

  it('if it changes businesses on different servers', async () => {
    const field = (id: string) =>
      `createCategory(businessId: ${id}, input: { name: "C" }) { category { id } }`;
    const query = `mutation D($a: ID!, $b: ID!) { a: ${field('$a')} b: ${field('$b')} }`;
    await reject(query, ids(), 'on several servers');
  });

  it('if it searches the users of all businesses', async () => {
    await reject('{ users { nodes { id } } }', {}, 'users is not supported');
  });

  it('if a list of a business is searched for several businesses at once', async () => {
    const query = '{ businesses { nodes { products(search: "Pot") { nodes { id } } } } }';
    await reject(query, {}, 'reads several businesses');
  });

  it('if it is not supported on another server than the home server', async () => {
    const query = 'query U($b: ID!) { usage(businessId: $b) { calls } }';
    await reject(query, ids(), 'usage is not supported on the server of this business');
    const { errors } = await onHome.t.graphql(query.replaceAll('$b', '$a'), ids(), { as: onHome.shop.admin });
    expect(errors).toEqual([]);
  });
});

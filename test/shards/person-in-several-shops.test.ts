/** A person with records in shops on two database servers: lists across shops, records by id, export, claim and deletion. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  type Account,
  createAccount,
  registerConfirmedAccount,
  signIn,
  uniqueEmail,
} from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import { createTwoSides, placeOrder, type Side } from './setup.ts';

let home: Db;
let second: Db;
let onHome: Side;
let onSecond: Side;
let ada: Account;
/** Newest first; alternating between the servers. */
const orderIds: string[] = [];

beforeAll(async () => {
  ({ home, second, onHome, onSecond } = await createTwoSides());
  ada = await createAccount(onHome.t);
  for (let round = 0; round < 3; round += 1)
    for (const side of [onHome, onSecond]) orderIds.unshift(await placeOrder(side, ada));
  for (const { t, shop, pot } of [onHome, onSecond]) {
    const carts = `/v1/businesses/${shop.businessId}/carts`;
    await t.rest('POST', carts, { as: ada, body: { market: 'US' } });
    await t.rest('POST', `${carts}/me/lines`, { as: ada, body: { ...pot, quantity: 1 } });
  }
});

const rest = <Body>(method: string, path: string, as: Person, body?: object) =>
  onHome.t.rest<Body>(method, path, { as, ...(body ? { body } : {}) });

interface Page {
  items: { id: string }[];
  cursor: string | null;
}

describe('the orders of a person', () => {
  it('are listed newest first over all shops, in pages of any size, in REST', async () => {
    for (const limit of [1, 2, 4, 100]) {
      const found: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
        const { status, body } = await rest<Page>('GET', `/v1/users/me/orders?${query}`, ada);
        expect(status).toBe(200);
        expect(body.items.length).toBeLessThanOrEqual(limit);
        found.push(...body.items.map(({ id }) => id));
        cursor = body.cursor;
        if (cursor === null) break;
      }
      expect([limit, found]).toEqual([limit, orderIds]);
    }
  });

  it('are listed forwards and backwards with their total, shop, customer and products in GraphQL', async () => {
    const query = `query O($first: Int, $after: String, $last: Int, $before: String) { me {
      orders(first: $first, after: $after, last: $last, before: $before) {
        totalCount nodes { id customer { email } lines { product { name } } refunds { id } }
        edges { cursor } pageInfo { hasNextPage hasPreviousPage } } } }`;
    const read = async (variables: object) => {
      const { data, errors } = await onHome.t.graphql(query, { ...variables }, { as: ada });
      expect(errors).toEqual([]);
      return (data as unknown as { me: { orders: OrderPage } }).me.orders;
    };
    interface OrderPage {
      totalCount: number;
      nodes: { id: string }[];
      edges: { cursor: string }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
    }
    const idsOf = ({ nodes }: OrderPage) => nodes.map(({ id }) => id);
    const all = await read({ first: 100 });
    expect([all.totalCount, idsOf(all)]).toEqual([6, orderIds]);
    expect(all.nodes).toEqual(
      orderIds.map((id) => ({
        id,
        customer: { email: ada.email },
        lines: [{ product: { name: 'Pot' } }],
        refunds: [],
      })),
    );
    const after = all.edges[1]?.cursor;
    const middle = await read({ first: 3, after });
    expect([idsOf(middle), middle.pageInfo]).toEqual([
      orderIds.slice(2, 5),
      { hasNextPage: true, hasPreviousPage: true },
    ]);
    const last = await read({ last: 2 });
    expect([idsOf(last), last.pageInfo]).toEqual([
      orderIds.slice(4),
      { hasNextPage: false, hasPreviousPage: true },
    ]);
    const before = await read({ last: 2, before: all.edges[4]?.cursor });
    expect(idsOf(before)).toEqual(orderIds.slice(2, 4));
  });
});

describe('a record', () => {
  it('is found by its id on any server, with the records that it refers to', async () => {
    const ids = [
      orderIds[0],
      onHome.pot.productId,
      onSecond.pot.productId,
      onSecond.shop.businessId,
      newId(),
    ];
    const query = `query N($ids: [ID!]!) { nodes(ids: $ids) { __typename id
      ... on Order { businessId customer { name email } lines { product { id } } }
      ... on Product { business { id } } ... on Business { markets { code } } } }`;
    const { data, errors } = await onHome.t.graphql(query, { ids }, { as: onSecond.shop.admin });
    // Staff of one shop see its orders, and the products of all shops.
    expect([errors, data]).toEqual([
      [],
      {
        nodes: [
          {
            __typename: 'Order',
            id: orderIds[0],
            businessId: onSecond.shop.businessId,
            customer: { name: '', email: ada.email },
            lines: [{ product: { id: onSecond.pot.productId } }],
          },
          {
            __typename: 'Product',
            id: onHome.pot.productId,
            business: { id: onHome.shop.businessId },
          },
          {
            __typename: 'Product',
            id: onSecond.pot.productId,
            business: { id: onSecond.shop.businessId },
          },
          {
            __typename: 'Business',
            id: onSecond.shop.businessId,
            markets: [{ code: 'EU' }, { code: 'US' }],
          },
          null,
        ],
      },
    ]);
    const other = 'query O($id: ID!) { node(id: $id) { id } }';
    const [ofHome, ofSecond] = [orderIds[1], orderIds[0]];
    const visible = async (id: string | undefined, as: Person) =>
      (await onHome.t.graphql(other, { id }, { as })).data;
    expect(await visible(ofHome, onSecond.shop.admin)).toEqual({ node: null });
    expect(await visible(ofSecond, onSecond.shop.admin)).toEqual({ node: { id: ofSecond } });
    expect(await visible(ofHome, ada)).toEqual({ node: { id: ofHome } });
    expect(await visible(ada.userId, ada)).toEqual({ node: { id: ada.userId } });
  });
});

describe('a member of several shops', () => {
  it('lists them newest first, with their changes of roles', async () => {
    const person = await onHome.t.person();
    for (const { t, shop } of [onHome, onSecond]) {
      const input = { userId: person.userId, roleId: shop.roles.EDITOR };
      const mutation = 'mutation R($input: SetRoleInput!) { setRole(input: $input) { user { id } } }';
      expect((await t.graphql(mutation, { input }, { as: shop.admin })).errors).toEqual([]);
    }
    const newest = [onSecond.shop.businessId, onHome.shop.businessId].sort().reverse();
    const { body } = await rest<Page>('GET', '/v1/businesses?limit=1', person);
    expect(body.items.map(({ id }) => id)).toEqual(newest.slice(0, 1));
    const next = await rest<Page>('GET', `/v1/businesses?limit=1&cursor=${body.cursor}`, person);
    expect([next.body.items.map(({ id }) => id), next.body.cursor]).toEqual([newest.slice(1), null]);
    const query = `{ businesses { totalCount nodes { id markets { code } products { nodes { name } } } }
      me { memberships { business { id } } securityEvents { nodes { type businessId role } } } }`;
    const { data, errors } = await onHome.t.graphql(query, {}, { as: person });
    const markets = [{ code: 'EU' }, { code: 'US' }];
    const products = { nodes: [{ name: 'Pot' }] };
    const changed = (businessId: string) => ({ type: 'ROLE_CHANGED', businessId, role: 'EDITOR' });
    expect([errors, data]).toEqual([
      [],
      {
        businesses: { totalCount: 2, nodes: newest.map((id) => ({ id, markets, products })) },
        me: {
          memberships: [
            { business: { id: onHome.shop.businessId } },
            { business: { id: onSecond.shop.businessId } },
          ],
          securityEvents: {
            nodes: [changed(onSecond.shop.businessId), changed(onHome.shop.businessId)],
          },
        },
      },
    ]);
  });
});

it('exports the personal data of all shops', async () => {
  const { status, body } = await rest<Record<string, { id: string; businessId: string }[]>>(
    'GET',
    '/v1/users/me/export',
    ada,
  );
  expect([status, body.orders?.map(({ id }) => id)]).toEqual([200, orderIds]);
  expect(body.carts?.map(({ businessId }) => businessId)).toEqual([
    onSecond.shop.businessId,
    onHome.shop.businessId,
  ]);
});

it('claims the orders that were placed as a guest in all shops', async () => {
  const email = uniqueEmail();
  const placed: string[] = [];
  for (const side of [onHome, onSecond])
    placed.unshift(await placeOrder(side, await side.t.guest(), { email }));
  const person = await signIn(onHome.t, await registerConfirmedAccount(onHome.t, email));
  const { body } = await rest<{ claimed: number }>('POST', '/v1/users/me/claim-orders', person, {});
  expect(body).toEqual({ claimed: 2 });
  const listed = await rest<Page>('GET', '/v1/users/me/orders', person);
  expect(listed.body.items.map(({ id }) => id)).toEqual(placed);
});

describe('the deletion of an account', () => {
  const membershipsOf = async ({ userId }: Person) =>
    Promise.all([home, second].map((db) => db.prisma.membership.count({ where: { userId } })));

  it('fails as a whole while a shop on any server would lose its last ADMIN', async () => {
    const founder = await createAccount(onHome.t);
    await onHome.t.addMember(onHome.shop, founder, 'EDITOR');
    const { body: business } = await rest<{ id: string }>('POST', '/v1/businesses', founder, { name: 'Own' });
    expect(await membershipsOf(founder)).toEqual([1, 1]);
    const { status } = await rest('POST', '/v1/users/me/delete', founder, { password: founder.password });
    expect([status, await membershipsOf(founder)]).toEqual([422, [1, 1]]);
    const me = await rest<{ id: string }>('GET', '/v1/users/me', founder);
    expect([me.status, me.body.id, business.id]).toEqual([200, founder.userId, expect.any(String)]);
  });

  it('removes roles, carts and personal data on all servers', async () => {
    const email = uniqueEmail();
    const person = await signIn(onHome.t, await registerConfirmedAccount(onHome.t, email));
    const address = { name: 'Ada', line1: 'Street 1', city: 'Bremen', postalCode: '28195', country: 'DE' };
    for (const side of [onHome, onSecond]) {
      await placeOrder(side, person, { email, shippingAddress: address });
      await side.t.addMember(side.shop, person, 'EDITOR');
      const carts = `/v1/businesses/${side.shop.businessId}/carts`;
      await side.t.rest('POST', carts, { as: person, body: { market: 'US', email } });
    }
    const { status } = await rest('POST', '/v1/users/me/delete', person, { password: person.password });
    expect([status, await membershipsOf(person)]).toEqual([200, [0, 0]]);
    await onHome.t.app.drainJobs();
    const { userId } = person;
    for (const db of [home, second]) {
      expect(await db.sql('select 1 from carts where customer_id = $1', [userId])).toEqual([]);
      expect(await db.sql('select 1 from users where id = $1', [userId])).toEqual([]);
      expect(
        await db.sql('select contact_email, shipping_address from orders where customer_id = $1', [userId]),
      ).toEqual([{ contact_email: null, shipping_address: null }]);
    }
    expect((await rest('GET', '/v1/users/me', person)).status).toBe(401);
    const [services] = onHome.t.app.services.servers?.all ?? [];
    if (services) await eraseUsersJob.run(services, {});
  });
});

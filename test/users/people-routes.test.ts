/** User search, roles, members and security events over REST and GraphQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { registerConfirmedAccount, signIn, validPassword } from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
});
const success = { success: true };

describe('search and set-role', () => {
  it('finds users of the business with three notations of roleIds, and sets their role', async () => {
    const shop = await t.shop();
    const editor = await t.addMember(shop, await t.person({ name: 'Edith 100% Editor' }), 'EDITOR');
    const manager = await t.addMember(shop, await t.person({ name: 'Max Manager' }), 'MANAGER');
    await t.addMember(await t.shop(), await t.person({ name: 'Edith Elsewhere' }), 'EDITOR');
    const search = async (query: string) => {
      const answer = await t.rest<{ items: { id: string }[]; cursor: string | null }>(
        'GET',
        `/v1/users/search?businessId=${shop.businessId}&${query}`,
        { as: shop.admin },
      );
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const ids = async (query: string) => (await search(query)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([manager.userId, editor.userId, shop.admin.userId]);
    expect(await ids('query=edith')).toEqual([editor.userId]);
    expect(await ids('query=100%25')).toEqual([editor.userId]);
    expect(await ids('query=_')).toEqual([]);
    const both = [shop.roles.EDITOR, shop.roles.MANAGER];
    for (const spelling of [
      `roleIds=${both.join(',')}`,
      `roleIds=${both[0]}&roleIds=${both[1]}`,
      `roleIds=${encodeURIComponent(JSON.stringify(both))}`,
    ]) {
      expect(await ids(spelling)).toEqual([manager.userId, editor.userId]);
    }
    const first = await search('limit=2');
    expect(first.items).toHaveLength(2);
    expect(await ids(`limit=2&cursor=${first.cursor}`)).toEqual([shop.admin.userId]);
    expect((await search('limit=2&query=max')).items[0]).toEqual({
      id: manager.userId,
      name: 'Max Manager',
      email: expect.any(String),
      isConfirmed: true,
      phoneNumbers: [],
      addresses: [],
      roleIds: [shop.roles.MANAGER],
      roles: [{ id: shop.roles.MANAGER, name: 'MANAGER', permissions: expect.any(Array) }],
      apiTokens: [],
      businessUserConfigs: [],
      lifecycle: { onboardingCompleted: false },
      version: 1,
    });

    const set = await t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: editor.userId, roleId: shop.roles.MANAGER, businessId: shop.businessId },
    });
    expect([set.status, set.body]).toEqual([200, success]);
    const again = await t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: editor.userId, roleId: shop.roles.ADMIN },
    });
    expect([again.status, again.body]).toEqual([200, success]);
    expect(await ids(`roleIds=${shop.roles.ADMIN}`)).toEqual([editor.userId, shop.admin.userId]);
    const graphql = await t.graphql(
      'mutation($i: SetRoleInput!) { setRole(input: $i) { user { id roles { name } } } }',
      { i: { userId: editor.userId, roleId: shop.roles.EDITOR } },
      { as: shop.admin },
    );
    expect(graphql.data).toEqual({ setRole: { user: { id: editor.userId, roles: [{ name: 'EDITOR' }] } } });
    const trail = await t.graphql(
      `query($b: ID!) { roleChanges(businessId: $b) { totalCount nodes { type userId actorId role previousRole address } } }`,
      { b: shop.businessId },
      { as: shop.admin },
    );
    const change = {
      type: 'ROLE_CHANGED',
      userId: editor.userId,
      actorId: shop.admin.userId,
      address: '127.0.0.1',
    };
    expect(trail.data).toEqual({
      roleChanges: {
        totalCount: 3,
        nodes: [
          { ...change, role: 'EDITOR', previousRole: 'ADMIN' },
          { ...change, role: 'ADMIN', previousRole: 'MANAGER' },
          { ...change, role: 'MANAGER', previousRole: 'EDITOR' },
        ],
      },
    });
  });

  it('finds customers including guests, but not those of other businesses', async () => {
    const [shop, other] = [await t.shop(), await t.shop()];
    const order = async (shopOfOrder: Shop, customer: Person) => {
      await t.db.prisma.order.create({
        data: {
          id: newId(),
          businessId: shopOfOrder.businessId,
          customerId: customer.userId,
          market: 'US',
          currency: 'USD',
          lines: [],
          subtotal: 0,
          tax: 0,
          shipping: 0,
          discount: 0,
          total: 0,
          statuses: [{ status: 'PENDING' }],
          paymentStatuses: [{ status: 'PENDING' }],
          createdAt: 1,
          updatedAt: 1,
        },
      });
      return customer.userId;
    };
    const guest = await order(shop, await t.guest());
    const customer = await order(shop, await t.person({ name: 'Carla Customer' }));
    await order(shop, { userId: customer, token: '' });
    await order(other, await t.person({ name: 'Carla Elsewhere' }));
    const search = async (query: string) => {
      const path = `/v1/users/search?businessId=${shop.businessId}${query}`;
      const { body } = await t.rest<{ items: { id: string }[] }>('GET', path, { as: shop.admin });
      return body.items.map(({ id }) => id);
    };
    expect(await search('')).toEqual([customer, guest, shop.admin.userId]);
    expect(await search('&query=carla')).toEqual([customer]);
    expect(await search(`&roleIds=${shop.roles.ADMIN}`)).toEqual([shop.admin.userId]);
    const members = await t.rest<{ items: unknown[] }>('GET', `/v1/businesses/${shop.businessId}/members`, {
      as: shop.admin,
    });
    expect(members.body.items).toHaveLength(1);
  });

  it('searches all businesses that the viewer administers when none is specified', async () => {
    const [first, second] = [await t.shop(), await t.shop()];
    await t.addMember(second, first.admin, 'ADMIN');
    const answer = await t.rest<{ items: { id: string; roleIds: string[] }[] }>('GET', '/v1/users/search', {
      as: first.admin,
    });
    expect(answer.body.items.map(({ id }) => id).sort()).toEqual(
      [first.admin.userId, second.admin.userId].sort(),
    );
  });

  it('lists and removes members', async () => {
    const shop = await t.shop();
    const editor = await t.addMember(shop, await t.person({ name: 'Edith' }), 'EDITOR');
    const members = `/v1/businesses/${shop.businessId}/members`;
    const list = await t.rest('GET', members, { as: shop.admin });
    expect(list.body).toMatchObject({
      items: [
        { user: { id: editor.userId, name: 'Edith' }, role: { name: 'EDITOR' }, since: expect.any(Number) },
        { user: { id: shop.admin.userId }, role: { name: 'ADMIN' } },
      ],
      cursor: null,
    });
    const removed = await t.rest('DELETE', `${members}/${editor.userId}`, { as: shop.admin });
    expect(removed.body).toEqual({ id: editor.userId, deleted: true });
    expect((await t.rest('DELETE', `${members}/${editor.userId}`, { as: shop.admin })).status).toBe(404);
  });

  it('takes a fixed number of statements for any number of users', async () => {
    const shop = await t.shop();
    for (const size of [1, 10, 100]) {
      while ((await t.db.prisma.membership.count({ where: { businessId: shop.businessId } })) < size) {
        await t.addMember(shop, await t.person(), 'EDITOR');
      }
      for (const [cost, query] of [
        // Permission, viewer, users, their memberships with roles and businesses, and the voluntary contacts among them.
        [
          7,
          'query($b: ID!) { users(businessId: $b, first: 100) { nodes { id roles { name } memberships { business { name } } apiTokens { id: key } } } }',
        ],
        [
          7,
          'query($b: ID!) { members(businessId: $b, first: 100) { nodes { user { id } role { name } since } } }',
        ],
        [2, 'query($b: ID!) { roleChanges(businessId: $b, first: 100) { nodes { id role } } }'],
      ] as const) {
        t.statements.length = 0;
        const answer = await t.graphql(query, { b: shop.businessId }, { as: shop.admin });
        expect(answer.errors).toEqual([]);
        expect(t.statements).toHaveLength(cost);
      }
    }
  });
});

describe('security events', () => {
  it('list what happened to the account, newest first', async () => {
    const email = await registerConfirmedAccount(t);
    await expect(signIn(t, email, 'wrong password here')).rejects.toThrow('PASSWORD_WRONG');
    const person = await signIn(t, email);
    const value = crypto.randomUUID();
    await t.rest('PUT', '/v1/users', { as: person, body: { apiTokens: [{ id: 'k', name: 'Key', value }] } });
    await t.rest('PUT', '/v1/users', { as: person, body: { apiTokens: [] } });
    await t.rest('POST', '/v1/users/reset-password', {
      as: person,
      body: { oldPassword: validPassword, newPassword: 'yet another otter' },
    });
    const answer = await t.graphql(
      '{ me { securityEvents(first: 100) { totalCount nodes { type address actorId provider signedInWith keyId keyName timestamp } } } }',
      {},
      { as: person },
    );
    const me = answer.data?.me as unknown as { securityEvents: { nodes: Record<string, unknown>[] } };
    const events = me.securityEvents.nodes;
    expect(events.map(({ type }) => type)).toEqual([
      'PASSWORD_CHANGED',
      'KEY_REVOKED',
      'KEY_CREATED',
      'SIGNED_IN',
      'SIGN_IN_FAILED',
      'EMAIL_CONFIRMED',
      'REGISTERED',
    ]);
    expect(events[3]).toMatchObject({ provider: 'EMAIL', signedInWith: 'EMAIL' });
    expect(events[2]).toEqual({
      type: 'KEY_CREATED',
      address: '127.0.0.1',
      actorId: person.userId,
      provider: null,
      signedInWith: null,
      keyId: 'k',
      keyName: 'Key',
      timestamp: expect.any(Number),
    });
  });
});

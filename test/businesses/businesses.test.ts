/** Businesses and their configuration over REST: create, read, list, update and delete, with permissions and validation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
});

const stamps = { version: 1, createdAt: expect.any(Number), updatedAt: expect.any(Number) };

describe('businesses', () => {
  it('are created by a confirmed user, who becomes ADMIN, with three default roles', async () => {
    const founder = await t.person();
    const created = await t.rest<{ id: string }>('POST', '/v1/businesses', {
      as: founder,
      body: { name: 'Tea & Co' },
    });
    expect([created.status, created.body]).toEqual([
      200,
      { id: expect.any(String), name: 'Tea & Co', slug: 'tea-co', publicRead: false, ...stamps },
    ]);
    const roles = await t.rest('GET', `/v1/businesses/${created.body.id}/roles`, { as: founder });
    expect(roles.body).toMatchObject({
      items: [
        { name: 'ADMIN', permissions: ['ADMIN'] },
        {
          name: 'MANAGER',
          permissions: `PRODUCTS_WRITE ORDERS_READ ORDERS_WRITE CONTENT_WRITE
            NEWSLETTER_SEND SUBSCRIBERS_READ REQUESTS_READ`.split(/\s+/),
        },
        { name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] },
      ],
      cursor: null,
    });
    const second = await t.rest('POST', '/v1/businesses', { as: founder, body: { name: 'Tea & Co' } });
    expect(second.body).toMatchObject({ slug: 'tea-co-2' });
    expect(
      (await t.rest('POST', '/v1/businesses', { as: founder, body: { name: 'X', slug: 'tea-co' } })).body,
    ).toMatchObject({
      details: [{ field: 'slug', error: 'SLUG_TAKEN' }],
    });
    expect((await t.rest('GET', '/v1/businesses', { as: founder })).body).toEqual({
      items: [second.body, created.body],
      cursor: null,
    });
    expect((await t.rest('GET', '/v1/businesses/tea-co', { as: guest })).body).toEqual(created.body);
  });

  it('cannot be created by guests or without a name', async () => {
    expect((await t.rest('POST', '/v1/businesses', { as: guest, body: { name: 'X' } })).status).toBe(403);
    expect((await t.rest('POST', '/v1/businesses', { body: {} })).status).toBe(401);
    expect((await t.rest('POST', '/v1/businesses', { as: shop.admin, body: {} })).body).toMatchObject({
      details: [{ field: 'name', error: 'REQUIRED' }],
    });
  });

  it('can be updated and deleted only by their ADMIN', async () => {
    const doomed = await t.shop();
    const path = `/v1/businesses/${doomed.businessId}`;
    const manager = await t.addMember(doomed, await t.person(), 'MANAGER');
    for (const [as, status] of [
      [manager, 403],
      [guest, 403],
      [other.admin, 404],
      [undefined, 401],
    ] as const) {
      expect((await t.rest('PUT', path, { as, body: { name: 'Taken over' } })).status).toBe(status);
      expect((await t.rest('DELETE', path, { as })).status).toBe(status);
    }
    const changed = await t.rest('PUT', path, { as: doomed.admin, body: { name: 'Renamed' } });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Renamed', version: 2 }]);
    expect(
      (await t.rest('DELETE', path, { as: doomed.admin, headers: { 'if-match': '"1-x"' } })).status,
    ).toBe(412);
    expect((await t.rest('DELETE', path, { as: doomed.admin })).body).toEqual({
      id: doomed.businessId,
      deleted: true,
    });
    expect((await t.rest('GET', path, { as: doomed.admin })).status).toBe(404);
  });
});

interface ResourceCase {
  path: string;
  /** Request body, the created record, an update, and the record after it. */
  body: object;
  record: object;
  changes: object;
  changed: object;
  /** Path segment that identifies the record; `id` for its id. */
  key: string;
  /** Error detail of a second create with the same body. */
  clash: { field: string; error: string };
  type: string;
  isPublic: boolean;
}

const resources: ResourceCase[] = [
  {
    type: 'Market',
    path: 'markets',
    body: { code: 'ch-De', currency: 'chf', taxBps: 810 },
    record: { code: 'ch-De', currency: 'CHF', taxBps: 810 },
    changes: { taxBps: 0, code: 'ignored' },
    changed: { code: 'ch-De', currency: 'CHF', taxBps: 0 },
    key: 'CH-dE',
    clash: { field: 'code', error: 'CODE_TAKEN' },
    isPublic: true,
  },
  {
    type: 'ShippingMethod',
    path: 'shipping-methods',
    body: {
      id: 'standard',
      name: 'Standard',
      prices: [{ marketId: 'US', price: 500, freeAbove: 10_000_000_000 }],
    },
    record: {
      id: 'standard',
      name: 'Standard',
      prices: [{ marketId: 'US', price: 500, freeAbove: 10_000_000_000 }],
    },
    changes: { prices: [] },
    changed: { id: 'standard', name: 'Standard', prices: [] },
    key: 'standard',
    clash: { field: 'id', error: 'ID_TAKEN' },
    isPublic: true,
  },
  {
    type: 'PromoCode',
    path: 'promo-codes',
    body: { code: 'Summer', type: 'FIXED', amount: 500, currency: 'usd', maxUses: 10 },
    record: {
      id: expect.any(String),
      code: 'Summer',
      type: 'FIXED',
      amount: 500,
      currency: 'USD',
      maxUses: 10,
      uses: 0,
    },
    changes: { type: 'PERCENTAGE', bps: 1500, amount: null, currency: null, maxUses: null },
    changed: { id: expect.any(String), code: 'Summer', type: 'PERCENTAGE', bps: 1500, uses: 0 },
    key: 'id',
    clash: { field: 'code', error: 'CODE_TAKEN' },
    isPublic: false,
  },
  {
    type: 'Role',
    path: 'roles',
    body: { name: 'PACKER', permissions: ['ORDERS_READ', 'ORDERS_READ'] },
    record: { id: expect.any(String), name: 'PACKER', permissions: ['ORDERS_READ'] },
    changes: { permissions: ['ORDERS_WRITE'] },
    changed: { id: expect.any(String), name: 'PACKER', permissions: ['ORDERS_WRITE'] },
    key: 'id',
    clash: { field: 'name', error: 'NAME_TAKEN' },
    isPublic: false,
  },
];

describe.each(resources)('$path', ({ path, body, record, changes, changed, key, clash, isPublic }) => {
  it('are created, read, listed, updated and deleted by the ADMIN, and protected from other viewers', async () => {
    const all = `/v1/businesses/${shop.businessId}/${path}`;
    const strangers = [
      [undefined, 401, 401],
      [guest, 403, 403],
      [await t.person(), 403, 403],
      [other.admin, 403, 404],
    ] as const;
    for (const [as, status] of strangers)
      expect((await t.rest('POST', all, { as, body })).status).toBe(status);

    const created = await t.rest<Record<string, string>>('POST', all, { as: shop.admin, body });
    expect([created.status, created.body]).toEqual([200, { ...record, ...stamps }]);
    const clashing = await t.rest('POST', all, { as: shop.admin, body });
    expect([clashing.status, clashing.body]).toMatchObject([422, { details: [clash] }]);

    const recordPath = `${all}/${key === 'id' ? created.body.id : key}`;
    expect((await t.rest('GET', recordPath, { as: shop.admin })).body).toEqual(created.body);
    expect((await t.rest<{ items: unknown[] }>('GET', all, { as: shop.admin })).body.items).toContainEqual(
      created.body,
    );
    for (const [as, listed, addressed] of strangers) {
      const readable = isPublic && as !== undefined;
      expect((await t.rest('GET', all, { as })).status).toBe(readable ? 200 : listed);
      expect((await t.rest('GET', recordPath, { as })).status).toBe(readable ? 200 : addressed);
      expect((await t.rest('PUT', recordPath, { as, body: changes })).status).toBe(addressed);
      expect((await t.rest('DELETE', recordPath, { as })).status).toBe(addressed);
    }
    const elsewhere = recordPath.replace(shop.businessId, other.businessId);
    expect((await t.rest('PUT', elsewhere, { as: other.admin, body: changes })).status).toBe(404);

    const etag = created.headers.get('etag') ?? '';
    const put = await t.rest('PUT', recordPath, {
      as: shop.admin,
      body: changes,
      headers: { 'if-match': etag },
    });
    expect([put.status, put.body]).toEqual([200, { ...changed, ...stamps, version: 2 }]);
    expect(
      (await t.rest('PUT', recordPath, { as: shop.admin, body: changes, headers: { 'if-match': etag } }))
        .status,
    ).toBe(412);
    expect((await t.rest('GET', recordPath, { as: shop.admin })).body).toEqual(put.body);

    const removed = await t.rest('DELETE', recordPath, { as: shop.admin });
    expect([removed.status, removed.body]).toEqual([200, { id: expect.any(String), deleted: true }]);
    for (const [method, payload] of [['GET'], ['DELETE'], ['PUT', changes]] as const) {
      expect((await t.rest(method, recordPath, { as: shop.admin, body: payload })).status).toBe(404);
    }
  });

  it('are created once per Idempotency-Key', async () => {
    const fresh = await t.shop();
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        t.rest('POST', `/v1/businesses/${fresh.businessId}/${path}`, { as: fresh.admin, body, headers }),
      ),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${JSON.stringify(answer.body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });
});

describe('validation of the configuration', () => {
  it.each([
    [
      'markets',
      { code: 'US', currency: 'ZZZ', taxBps: -1 },
      ['currency UNKNOWN_CURRENCY', 'taxBps TOO_SMALL'],
    ],
    [
      'markets',
      { code: 'no spaces', currency: 'USD', taxBps: 10_001 },
      ['code INVALID_FORMAT', 'taxBps TOO_BIG'],
    ],
    [
      'shipping-methods',
      {
        name: '',
        prices: [
          { marketId: 'US', price: 1 },
          { marketId: 'us', price: -1 },
        ],
      },
      ['name TOO_SHORT', 'prices.1.marketId DUPLICATE_MARKET', 'prices.1.price TOO_SMALL'],
    ],
    ['promo-codes', { code: 'A', type: 'PERCENTAGE' }, ['bps REQUIRED']],
    ['promo-codes', { code: 'A', type: 'FIXED' }, ['amount REQUIRED', 'currency REQUIRED']],
    ['promo-codes', { code: 'A', type: 'FREE_SHIPPING', startsAt: 10, endsAt: 5 }, ['endsAt INVALID_RANGE']],
    ['promo-codes', { code: 'A', type: 'HALF' }, ['type INVALID_VALUE']],
    ['roles', { name: 'X', permissions: ['EVERYTHING'] }, ['permissions.0 INVALID_VALUE']],
  ])('%s %j', async (path, body, expected) => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>(
      'POST',
      `/v1/businesses/${shop.businessId}/${path}`,
      { as: shop.admin, body },
    );
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`).sort()).toEqual(expected);
  });

  it('rejects role changes that would leave no ADMIN', async () => {
    const ownShop = await t.shop();
    const admins = `/v1/businesses/${ownShop.businessId}/roles/${ownShop.roles.ADMIN}`;
    const weaker = await t.rest('PUT', admins, { as: ownShop.admin, body: { permissions: ['ORDERS_READ'] } });
    expect([weaker.status, weaker.body]).toMatchObject([
      422,
      { details: [{ field: 'permissions', error: 'LAST_ADMIN' }] },
    ]);
    const deletion = await t.rest('DELETE', admins, { as: ownShop.admin });
    expect([deletion.status, deletion.body]).toMatchObject([
      422,
      { details: [{ field: 'id', error: 'ROLE_IN_USE' }] },
    ]);
    expect((await t.rest('PUT', admins, { as: ownShop.admin, body: { name: 'OWNER' } })).body).toMatchObject({
      name: 'OWNER',
      permissions: ['ADMIN'],
    });
  });
});

describe('lists', () => {
  it.each(['markets', 'shipping-methods', 'promo-codes', 'roles'])(
    '%s are paged with a constant number of statements',
    async (path) => {
      const ownShop = await t.shop();
      const all = `/v1/businesses/${ownShop.businessId}/${path}`;
      for (let number = 0; number < 12; number += 1) {
        const name = `n${String(number).padStart(2, '0')}`;
        await t.rest('POST', all, {
          as: ownShop.admin,
          body: { code: name, name, currency: 'USD', type: 'FREE_SHIPPING' },
        });
      }
      const counts = new Set<number>();
      const items: unknown[] = [];
      for (const limit of [1, 10]) {
        items.length = 0;
        let cursor: string | null = '';
        while (cursor !== null) {
          t.statements.length = 0;
          const { body }: { body: { items: unknown[]; cursor: string | null } } = await t.rest(
            'GET',
            `${all}?limit=${limit}&cursor=${cursor}`,
            { as: ownShop.admin },
          );
          counts.add(t.statements.length);
          items.push(...body.items);
          cursor = body.cursor;
        }
        expect(items).toHaveLength(path === 'roles' ? 15 : 12);
      }
      expect(counts.size).toBe(1);
    },
  );

  it('reads the markets and shipping methods of many businesses with few statements', async () => {
    const owner = await t.person();
    for (let number = 0; number < 5; number += 1)
      await t.rest('POST', '/v1/businesses', { as: owner, body: { name: `B${number}` } });
    const counts: number[] = [];
    for (const first of [1, 5]) {
      t.statements.length = 0;
      const { data, errors } = await t.graphql(
        'query ($first: Int) { businesses(first: $first) { nodes { name markets { code } shippingMethods { id: key } } } }',
        { first },
        { as: owner },
      );
      expect([errors, data]).toMatchObject([[], { businesses: { nodes: { length: first } } }]);
      counts.push(t.statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });
});

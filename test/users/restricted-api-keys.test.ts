/** An API key that is limited to some permissions: what it may do is declared here, everything else is forbidden in both voices. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../src/auth/permissions.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { now } from '../../src/lib/time.ts';
import { createWorld, type World } from '../parity/fixtures.ts';
import { domains, samples } from '../parity/samples/index.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { codesOf, documentFor, openFields, rootFieldOf, rootFields } from '../support/root-fields.ts';
import { inGraphql, inRest } from '../support/voices.ts';

/** For everybody who is signed in, and nobody's own. `businesses` lists where the key can work, `node` and `nodes` find what is visible. */
const forAnybody = [
  ...['business', 'businesses', 'market', 'markets', 'shippingMethod', 'shippingMethods'],
  ...['product', 'products', 'suggestions', 'stockChanged', 'collection', 'collections', 'entry', 'entries'],
  ...['quote', 'tryQuote', 'subscribe', 'templateVariables', 'viewerCan', 'node', 'nodes', 'logout'],
];

/** What people do for themselves: not even for a key that is limited to ADMIN. */
const own = [
  ...['me', 'updateMe', 'deleteMe', 'exportMe', 'changePassword', 'sendPhoneCode', 'confirmPhoneNumber'],
  ...['sessions', 'revokeSession', 'revokeAllSessions', 'createBusiness', 'leaveBusiness'],
  ...['myCart', 'openCart', 'updateCart', 'deleteCart', 'addCartLine', 'updateCartLine', 'removeCartLine'],
  ...['mergeCart', 'checkoutCart', 'tryCheckoutCart', 'checkout', 'tryCheckout'],
];

const withPermission: Partial<Record<Permission, string[]>> = {
  PRODUCTS_WRITE: [
    ...['createProduct', 'updateProduct', 'deleteProduct', 'adjustStock', 'tryAdjustStock', 'stockMovements'],
    ...['mediaFile', 'mediaFiles', 'createUpload', 'updateMediaFile', 'deleteMediaFile'],
    ...['startImport', 'startExport', 'bulkOperations', 'bulkOperation', 'bulkErrors', 'cancelBulkOperation'],
    ...[
      'customerGroup',
      'customerGroups',
      'createCustomerGroup',
      'updateCustomerGroup',
      'deleteCustomerGroup',
    ],
  ],
  ORDERS_READ: [
    ...['order', 'orders', 'refunds', 'cart', 'orderChanged', 'cartChanged', 'bulkOperations'],
    ...['customerGroup', 'customerGroups', 'customerGroupMembers'],
  ],
  SUBSCRIBERS_READ: ['subscribers'],
};

/** Operations on products, and a draft: whoever has rights, but not to these, does not find them. */
const hidden = ['GetBulkOperation', 'ListBulkErrors', 'CancelBulkOperation', 'GetEntryDraft'];

let t: TestApp;
let world: World;
/** The customer has orders, a cart, sessions and a key that is not limited; the admin has every permission besides. */
const owners = ['customer', 'admin'] as const;
const keys = new Map<string, Person>();
const limits: Record<(typeof owners)[number], readonly (readonly Permission[])[]> = {
  customer: [[], ['ADMIN']],
  admin: [[], ['PRODUCTS_WRITE'], ['ORDERS_READ', 'SUBSCRIBERS_READ'], ['ADMIN']],
};
const nameOf = (owner: string, limit: readonly Permission[]) => `${owner} ${limit.join()}`;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  for (const owner of owners)
    for (const limit of limits[owner])
      keys.set(nameOf(owner, limit), await t.withApiKey(personOf(owner), limit));
});

function personOf(owner: (typeof owners)[number]): Person {
  const person = world.viewers[owner];
  if (!person) throw new Error(`No ${owner}.`);
  return person;
}

/** All that the owners have for themselves. */
const possessions = async () => {
  const mine = { where: { userId: { in: owners.map((owner) => personOf(owner).userId) } } };
  return {
    users: await t.db.prisma.user.findMany({ omit: { updatedAt: true } }),
    sessions: await t.db.prisma.session.findMany(mine),
    keys: await t.db.prisma.apiToken.findMany({ ...mine, omit: { lastUsedAt: true } }),
    memberships: await t.db.prisma.membership.findMany(mine),
    carts: await t.db.sql('select * from carts order by id', []),
    orders: await t.db.sql('select id, version from orders order by id', []),
    subscriptions: await t.db.sql('select * from subscriptions order by id', []),
  };
};

/** What the key is refused, of all that is not for everybody: for ADMIN its owner's own alone, of which the list is complete. */
const isRefused = (limit: readonly Permission[], isStaff: boolean) => (field: string) =>
  own.includes(field) ||
  !(
    openFields.has(field) ||
    forAnybody.includes(field) ||
    (isStaff && limit.some((name) => name === 'ADMIN' || withPermission[name]?.includes(field)))
  );

const walks = owners.flatMap((owner) =>
  limits[owner].map((limit) => [nameOf(owner, limit), isRefused(limit, owner === 'admin')] as const),
);

const withRow = new Set(routes.map(rootFieldOf));

describe.each(walks)('the key %s', (name, refused) => {
  it('is refused by every row that is not declared, and has changed nothing', async () => {
    const before = await possessions();
    const wrong: string[] = [];
    const asked = routes.filter((row) => refused(rootFieldOf(row)));
    for (const row of asked) {
      const sample = samples[row.operation.name]?.(world) ?? {};
      for (const ask of [inRest, inGraphql]) {
        const { status } = await ask(t, row, sample, keys.get(name));
        const isHidden = status === 404 && hidden.includes(row.operation.name);
        if (status !== 403 && !isHidden) wrong.push(`${row.method} ${row.path}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(asked.length).toBeGreaterThan(15);
    expect(await possessions()).toEqual(before);
  });

  it('is refused by every root field without a row that is not declared', async () => {
    const known = { businessId: world.shop.businessId, id: world.ids.order };
    const wrong: string[] = [];
    for (const { operation, field } of rootFields.filter((root) => refused(root.field.name))) {
      if (withRow.has(field.name)) continue;
      const codes = await codesOf(t, documentFor(operation, field, known), keys.get(name));
      if (codes !== 'FORBIDDEN') wrong.push(`${operation} ${field.name}: ${codes}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('may do what is declared', async () => {
  const reads = routes
    .filter(({ method }) => method === 'GET')
    .map((row) => ({ row, field: rootFieldOf(row) }));
  const answers: string[] = [];
  for (const [name, refused] of walks)
    for (const { row, field } of reads.filter(
      (read) => !refused(read.field) && !openFields.has(read.field),
    )) {
      const { status } = await inRest(t, row, samples[row.operation.name]?.(world) ?? {}, keys.get(name));
      const isHidden = status === 404 && hidden.includes(row.operation.name);
      if (status !== 200 && !isHidden) answers.push(`${name} ${field}: ${status}`);
    }
  expect(answers).toEqual([]);
});

it('finds its owner and their orders nowhere', async () => {
  const ids = [world.ids.order, personOf('customer').userId, world.shop.businessId];
  const ask = async (as: Person | undefined) =>
    (
      await t.graphql(
        'query($ids: [ID!]!) { nodes(ids: $ids) { id } businesses { nodes { id } } }',
        { ids },
        { as },
      )
    ).data;
  const found = (...each: (string | undefined)[]) => each.map((id) => (id ? { id } : null));
  const shops = (...all: string[]) => ({ nodes: all.map((id) => ({ id })) });
  expect(await ask(personOf('customer'))).toEqual({ nodes: found(...ids), businesses: shops() });
  for (const limit of limits.customer)
    expect(await ask(keys.get(nameOf('customer', limit)))).toEqual({
      nodes: found(undefined, undefined, world.shop.businessId),
      businesses: shops(),
    });
  expect(await ask(keys.get('admin '))).toMatchObject({ businesses: shops() });
  expect(await ask(keys.get('admin ORDERS_READ,SUBSCRIBERS_READ'))).toEqual({
    nodes: found(world.ids.order, undefined, world.shop.businessId),
    businesses: shops(world.shop.businessId),
  });
});

describe('does what its owner may do there and the key allows, and no more:', () => {
  const only = async (shop: Shop, owner: Person, ...permissions: Permission[]) => {
    await t.db.prisma.role.update({ where: { id: shop.roles.EDITOR ?? '' }, data: { permissions } });
    await t.hire(shop, owner, 'EDITOR');
  };

  it('reads orders where its owner reads them, with a key that may write them', async () => {
    const [owner, shop] = [await t.person(), await t.shop()];
    await only(shop, owner, 'ORDERS_READ');
    const as = await t.withApiKey(owner, ['ORDERS_WRITE']);
    const { data } = await t.graphql(
      'query($b: ID!) { read: viewerCan(permission: ORDERS_READ, businessId: $b) write: viewerCan(permission: ORDERS_WRITE, businessId: $b) }',
      { b: shop.businessId },
      { as },
    );
    expect(data).toEqual({ read: true, write: false });
    expect(await t.rest('GET', `/v1/businesses/${shop.businessId}/orders`, { as })).toMatchObject({
      status: 200,
    });
  });

  it('sees no sends as a sender where its owner is an editor', async () => {
    const [owner, shop] = [await t.person(), await t.shop()];
    await only(shop, owner, 'CONTENT_WRITE');
    const base = `/v1/businesses/${shop.businessId}`;
    const made = async (path: string, body: object) =>
      (await t.rest<{ id: string }>('POST', `${base}${path}`, { as: shop.admin, body })).body.id;
    const collectionId = await made('/collections', { name: 'News', type: 'NEWSLETTER' });
    const id = await made('/entries', { collectionId, blocks: [], statuses: [{ status: 'PUBLISHED' }] });
    await made(`/entries/${id}/send`, { scheduledAt: now() + 3600 });
    const seen = async (as: Person) =>
      (
        await t.graphql(
          'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { newsletterSend { status } } }',
          { b: shop.businessId, id },
          { as },
        )
      ).data;
    expect(await seen(owner)).toEqual({ entry: { newsletterSend: { status: 'SCHEDULED' } } });
    expect(await seen(await t.withApiKey(owner, ['NEWSLETTER_SEND']))).toEqual({
      entry: { newsletterSend: null },
    });
  });
});

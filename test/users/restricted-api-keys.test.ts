/** Restricted API keys: the operations that each permission allows are declared here; all others are forbidden over REST and GraphQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../src/auth/permissions-and-default-roles.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { now } from '../../src/lib/time.ts';
import { createWorld, type World } from '../parity/fixtures.ts';
import { domains, samples } from '../parity/samples/index.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { callInGraphql, callInRest } from '../support/protocol-clients.ts';
import {
  fetchErrorCodes,
  publicFields,
  rootFieldDocument,
  rootFieldName,
  rootFields,
} from '../support/root-fields.ts';

/** Operations for every signed-in viewer. `businesses` lists those in which the key has a permission; `node`, `nodes` and `_entities` find visible records. */
const forAnyViewer = [
  ...['branding', 'business', 'businesses', 'market', 'markets', 'shippingMethod', 'shippingMethods'],
  ...['category', 'categories'],
  ...['product', 'products', 'suggestions', 'stockChanged', 'collection', 'collections', 'entry', 'entries'],
  ...[
    'quote',
    'quoteCheckout',
    'tryQuote',
    'subscribe',
    'templateVariables',
    'viewerCan',
    'node',
    'nodes',
    '_entities',
    'logout',
  ],
];

/** Operations on the own account: not allowed for any restricted key, not even with ADMIN. */
const ownAccountFields = [
  ...['me', 'updateMe', 'deleteMe', 'exportMe', 'changePassword', 'sendPhoneCode', 'confirmPhoneNumber'],
  ...['sessions', 'revokeSession', 'revokeAllSessions', 'createBusiness', 'leaveBusiness'],
  ...['myCart', 'openCart', 'updateCart', 'deleteCart', 'addCartLine', 'updateCartLine', 'removeCartLine'],
  ...['mergeCart', 'checkoutCart', 'tryCheckoutCart', 'checkout', 'tryCheckout'],
];

const withPermission: Partial<Record<Permission, string[]>> = {
  PRODUCTS_WRITE: [
    ...['createProduct', 'updateProduct', 'deleteProduct', 'adjustStock', 'tryAdjustStock', 'stockMovements'],
    ...['createCategory', 'updateCategory', 'deleteCategory'],
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

/** Operations that respond NOT_FOUND instead of FORBIDDEN when the key has other permissions in the business. */
const hiddenOperations = ['GetBulkOperation', 'ListBulkErrors', 'CancelBulkOperation', 'GetEntryDraft'];

let t: TestApp;
let world: World;
/** The customer has orders, a cart, sessions and an unrestricted key; the admin additionally has all permissions. */
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

/** Records of the key owners, to detect changes. */
const ownerRecords = async () => {
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

/** Whether the field is forbidden for the key. With ADMIN, only the fields of the own account are. */
const isForbiddenFor = (limit: readonly Permission[], isStaff: boolean) => (field: string) =>
  ownAccountFields.includes(field) ||
  !(
    publicFields.has(field) ||
    forAnyViewer.includes(field) ||
    (isStaff && limit.some((name) => name === 'ADMIN' || withPermission[name]?.includes(field)))
  );

const keyCases = owners.flatMap((owner) =>
  limits[owner].map((limit) => [nameOf(owner, limit), isForbiddenFor(limit, owner === 'admin')] as const),
);

const fieldsWithRoute = new Set(routes.map(rootFieldName));

describe.each(keyCases)('the key %s', (name, isForbidden) => {
  it('is rejected by all routes that are not declared, and changes nothing', async () => {
    const before = await ownerRecords();
    const wrong: string[] = [];
    const forbiddenRoutes = routes.filter((route) => isForbidden(rootFieldName(route)));
    for (const route of forbiddenRoutes) {
      const sample = samples[route.operation.name]?.(world) ?? {};
      for (const send of [callInRest, callInGraphql]) {
        const { status } = await send(t, route, sample, keys.get(name));
        const isHidden = status === 404 && hiddenOperations.includes(route.operation.name);
        if (status !== 403 && !isHidden) wrong.push(`${route.method} ${route.path}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(forbiddenRoutes.length).toBeGreaterThan(15);
    expect(await ownerRecords()).toEqual(before);
  });

  it('is rejected by all root fields without a route that are not declared', async () => {
    const ids = { businessId: world.shop.businessId, id: world.ids.order };
    const wrong: string[] = [];
    for (const { operation, field } of rootFields.filter((root) => isForbidden(root.field.name))) {
      if (fieldsWithRoute.has(field.name)) continue;
      const codes = await fetchErrorCodes(t, rootFieldDocument(operation, field, ids), keys.get(name));
      if (codes !== 'FORBIDDEN') wrong.push(`${operation} ${field.name}: ${codes}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('is accepted by the declared routes', async () => {
  const reads = routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ route, field: rootFieldName(route) }));
  const answers: string[] = [];
  for (const [name, isForbidden] of keyCases)
    for (const { route, field } of reads.filter(
      (read) => !isForbidden(read.field) && !publicFields.has(read.field),
    )) {
      const { status } = await callInRest(
        t,
        route,
        samples[route.operation.name]?.(world) ?? {},
        keys.get(name),
      );
      const isHidden = status === 404 && hiddenOperations.includes(route.operation.name);
      if (status !== 200 && !isHidden) answers.push(`${name} ${field}: ${status}`);
    }
  expect(answers).toEqual([]);
});

it('cannot read its owner and their orders through node and nodes', async () => {
  const ids = [world.ids.order, personOf('customer').userId, world.shop.businessId];
  const send = async (as: Person | undefined) =>
    (
      await t.graphql(
        'query($ids: [ID!]!) { nodes(ids: $ids) { id } businesses { nodes { id } } }',
        { ids },
        { as },
      )
    ).data;
  const nodes = (...nodeIds: (string | undefined)[]) => nodeIds.map((id) => (id ? { id } : null));
  const shops = (...all: string[]) => ({ nodes: all.map((id) => ({ id })) });
  expect(await send(personOf('customer'))).toEqual({ nodes: nodes(...ids), businesses: shops() });
  for (const limit of limits.customer)
    expect(await send(keys.get(nameOf('customer', limit)))).toEqual({
      nodes: nodes(undefined, undefined, world.shop.businessId),
      businesses: shops(),
    });
  expect(await send(keys.get('admin '))).toMatchObject({ businesses: shops() });
  expect(await send(keys.get('admin ORDERS_READ,SUBSCRIBERS_READ'))).toEqual({
    nodes: nodes(world.ids.order, undefined, world.shop.businessId),
    businesses: shops(world.shop.businessId),
  });
});

describe('has the permissions that both its owner and the key have:', () => {
  const only = async (shop: Shop, owner: Person, ...permissions: Permission[]) => {
    await t.db.prisma.role.update({ where: { id: shop.roles.EDITOR ?? '' }, data: { permissions } });
    await t.addMember(shop, owner, 'EDITOR');
  };

  it('reads orders with ORDERS_WRITE when its owner has only ORDERS_READ', async () => {
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

  it('does not show newsletter sends with NEWSLETTER_SEND when its owner has only CONTENT_WRITE', async () => {
    const [owner, shop] = [await t.person(), await t.shop()];
    await only(shop, owner, 'CONTENT_WRITE');
    const base = `/v1/businesses/${shop.businessId}`;
    const createRecord = async (path: string, body: object) =>
      (await t.rest<{ id: string }>('POST', `${base}${path}`, { as: shop.admin, body })).body.id;
    const collectionId = await createRecord('/collections', { name: 'News', type: 'NEWSLETTER' });
    const id = await createRecord('/entries', {
      collectionId,
      blocks: [],
      statuses: [{ status: 'PUBLISHED' }],
    });
    await createRecord(`/entries/${id}/send`, { scheduledAt: now() + 3600 });
    const newsletterSendOf = async (as: Person) =>
      (
        await t.graphql(
          'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { newsletterSend { status } } }',
          { b: shop.businessId, id },
          { as },
        )
      ).data;
    expect(await newsletterSendOf(owner)).toEqual({ entry: { newsletterSend: { status: 'SCHEDULED' } } });
    expect(await newsletterSendOf(await t.withApiKey(owner, ['NEWSLETTER_SEND']))).toEqual({
      entry: { newsletterSend: null },
    });
  });
});

/** Queries `node` and `nodes`: the same visibility as the query of each type. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addPromoCode, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let customer: Person;
let guest: Person;
let outsider: Person;
const ids: Record<string, string> = {};

beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
  [customer, guest] = [await t.person(), await t.guest()];
  outsider = (await t.shop()).admin;
  const base = `/v1/businesses/${shop.businessId}`;
  const add = async (name: string, path: string, body: object) => {
    const answer = await t.rest<{ id: string }>('POST', `${base}/${path}`, { as: shop.admin, body });
    ids[name] = answer.body.id;
  };
  await add('product', 'products', { name: 'Pot' });
  await add('draft', 'products', { name: 'Secret', status: 'DRAFT' });
  await add('collection', 'collections', { name: 'Open' });
  await add('hidden', 'collections', { name: 'Shut', status: 'DRAFT' });
  await add('entry', 'entries', { collectionId: ids.collection, status: 'PUBLISHED', blocks: [] });
  await add('unpublished', 'entries', { collectionId: ids.collection, blocks: [] });
  await add('inHidden', 'entries', { collectionId: ids.hidden, status: 'PUBLISHED', blocks: [] });
  ids.order = await createEmptyOrder(t, shop, customer);
  ids.promo = await addPromoCode(t, shop, { code: 'TEN', type: 'FREE_SHIPPING' });
  ids.role = shop.roles.EDITOR ?? '';
  ids.business = shop.businessId;
  ids.cart = (
    await t.rest<{ id: string }>('POST', `${base}/carts`, { as: customer, body: { market: 'US' } })
  ).body.id;
  const uploadInput = { fileName: 'pot.png', contentType: 'image/png', size: 100 };
  const form = await t.rest<{ mediaId: string }>('POST', `${base}/media`, {
    as: shop.admin,
    body: uploadInput,
  });
  ids.file = form.body.mediaId;
  await add('endpoint', 'webhooks', { url: 'https://hooks.example/', events: ['*'] });
  await add('delivery', `webhooks/${ids.endpoint}/test`, {});
  await add('export', 'bulk-operations/exports', { resource: 'ORDERS' });
  ids.customer = customer.userId;
});

const visibleTo = async (as: Person | undefined): Promise<string[]> => {
  const names = Object.keys(ids);
  const { data } = await t.graphql(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
    { ids: Object.values(ids) },
    { as },
  );
  const nodes = (data as never as { nodes: ({ id: string } | null)[] }).nodes;
  for (const [index, node] of nodes.entries()) if (node) expect(node.id).toBe(Object.values(ids)[index]);
  return names.filter((_name, index) => nodes[index]);
};

describe('nodes', () => {
  const publicNames = ['product', 'collection', 'entry'];

  it('follow the visibility rules of each type', async () => {
    expect(await visibleTo(guest)).toEqual([...publicNames, 'business']);
    expect(await visibleTo(outsider)).toEqual([...publicNames, 'business']);
    expect(await visibleTo(customer)).toEqual([...publicNames, 'order', 'business', 'cart', 'customer']);
    expect(await visibleTo(shop.admin)).toEqual(Object.keys(ids).filter((name) => name !== 'customer'));
    const editor = await t.addMember(shop, await t.person(), 'EDITOR');
    expect(await visibleTo(editor)).toEqual([
      ...['product', 'collection', 'hidden', 'entry', 'unpublished', 'inHidden', 'business', 'file'],
    ]);
  });

  it('respect the permissions of a limited API key', async () => {
    const value = `key-${newId()}`;
    const apiTokens = [{ id: 'k', name: 'Orders', value, permissions: ['ORDERS_READ'] }];
    await t.rest('PUT', '/v1/users', { as: shop.admin, body: { apiTokens } });
    const { data } = await t.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: [ids.cart, ids.export, ids.file, ids.endpoint, ids.delivery] },
      { headers: { 'x-api-key': value } },
    );
    expect(data).toEqual({ nodes: [{ id: ids.cart }, { id: ids.export }, null, null, null] });
  });

  it('equal the results of the query of each type', async () => {
    const query = `query ($b: ID!, $o: ID!, $p: ID!, $c: ID!) {
      n1: node(id: $o) { ...O } order(businessId: $b, id: $o) { ...O }
      n2: node(id: $p) { ...P } product(businessId: $b, id: $p) { ...P }
      n3: node(id: $c) { ...C } cart(businessId: $b, id: $c) { ...C } }
      fragment C on Cart { id customerId market currency total lines { id } version }
      fragment O on Order { id total version statuses { status userId } }
      fragment P on Product { id name updatedAt statuses { status userId } }`;
    for (const as of [customer, shop.admin]) {
      const { data, errors } = await t.graphql(
        query,
        { b: shop.businessId, o: ids.order, p: ids.product, c: ids.cart },
        { as },
      );
      expect(errors).toEqual([]);
      const result = data as never as Record<string, object>;
      expect(result.n1).toEqual(result.order);
      expect(result.n2).toEqual(result.product);
      expect(result.n3).toEqual(result.cart);
    }
    const staff = `query ($b: ID!, $f: ID!, $e: ID!, $d: ID!, $x: ID!) {
      n1: node(id: $f) { ...F } mediaFile(businessId: $b, id: $f) { ...F }
      n2: node(id: $e) { ...E } webhookEndpoint(businessId: $b, id: $e) { ...E }
      n3: node(id: $d) { ...D } webhookDelivery(businessId: $b, id: $d) { ...D }
      n4: node(id: $x) { ...X } bulkOperation(businessId: $b, id: $x) { ...X } }
      fragment F on MediaFile { id businessId state fileName }
      fragment E on WebhookEndpoint { id url secret events version }
      fragment D on WebhookDelivery { id endpointId type data status }
      fragment X on BulkOperation { id kind resource userId }`;
    const { file: f, endpoint: e, delivery: d, export: x } = ids;
    const { data, errors } = await t.graphql(staff, { b: shop.businessId, f, e, d, x }, { as: shop.admin });
    expect(errors).toEqual([]);
    const { n1, n2, n3, n4, ...queried } = data as never as Record<string, object>;
    expect([n1, n2, n3, n4]).toEqual(Object.values(queried));
    expect(n2).toMatchObject({ secret: expect.stringContaining('*') });
  });

  it('use a bounded number of SQL statements for any number of ids', async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Timestamped { createdAt } ... on Versioned { version } } }`;
    const costs: number[] = [];
    for (const count of [2, 60, 2, 60]) {
      const requestedIds = [...Object.values(ids), ...Array.from({ length: 60 }, newId)].slice(0, count);
      t.statements.length = 0;
      const { errors } = await t.graphql(query, { ids: requestedIds }, { as: shop.admin });
      expect(errors).toEqual([]);
      costs.push(t.statements.length);
    }
    // One statement per type except User, plus the permissions for staff-only types.
    expect(costs.every((cost) => cost <= 14)).toBe(true);
    t.statements.length = 0;
    await t.graphql(query, { ids: Object.values(ids) }, { as: guest });
    // Staff-only types are not queried for guests.
    expect(t.statements.length).toBeLessThanOrEqual(7);
  });

  it('require authentication, at most 100 ids, and return null for invalid ids', async () => {
    const unauthenticated = await t.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: ids.product });
    expect(unauthenticated.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const tooMany = await t.graphql(query, { ids: Array.from({ length: 101 }, newId) }, { as: guest });
    expect(tooMany.errors[0]?.extensions.details).toMatchObject([{ field: 'ids', error: 'TOO_LONG' }]);
    const invalid = await t.graphql(
      query,
      { ids: ['', 'x', "'; --", newId(), ids.product?.toUpperCase()] },
      { as: guest },
    );
    expect(invalid.data).toEqual({ nodes: [null, null, null, null, { id: ids.product }] });
  });

  it('are charged query cost per id, also when the document is cached', async () => {
    const fields = Array.from({ length: 200 }, (_, n) => `f${n}: id`).join(' ');
    const query = `query ($ids: [ID!]!) { a: nodes(ids: $ids) { ${fields} } b: nodes(ids: $ids) { ${fields} }
      c: nodes(ids: $ids) { ${fields} } d: nodes(ids: $ids) { ${fields} } }`;
    expect((await t.graphql(query, { ids: [ids.product] }, { as: guest })).errors).toEqual([]);
    const heavy = await t.graphql(query, { ids: Array.from({ length: 100 }, newId) }, { as: guest });
    expect(heavy.errors[0]?.message).toContain('too complex');
  });
});

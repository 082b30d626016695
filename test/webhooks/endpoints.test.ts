/** Webhook endpoints over REST and GraphQL: permissions, and create, update, rotate and delete. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  registerEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhooksPath,
} from '../support/webhook-receiver.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
const people: Record<string, Person | undefined> = {};
const url = 'https://hooks.example/duet';

beforeAll(async () => {
  t = await testApp();
  [shop, other] = await Promise.all([t.shop(), t.shop()]);
  people.guest = await t.guest();
  people.customer = await t.person();
  people.editor = await t.addMember(shop, await t.person(), 'EDITOR');
  people.manager = await t.addMember(shop, await t.person(), 'MANAGER');
  people['foreign admin'] = other.admin;
  people['API key'] = await t.withApiKey(shop.admin);
});

const fields = `id businessId url description events secret status disabledReason failingSince version createdAt updatedAt`;
const create = `mutation($b: ID!, $input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(businessId: $b, input: $input) { webhookEndpoint { ${fields} } } }`;

describe('permissions', () => {
  let endpoint: WebhookEndpoint;
  let delivery: WebhookDelivery;
  beforeAll(async () => {
    endpoint = await registerEndpoint(t, shop, url);
    delivery = (
      await t.rest<WebhookDelivery>('POST', `${webhooksPath(shop)}/${endpoint.id}/test`, { as: shop.admin })
    ).body;
  });

  const inBusiness = {
    anonymous: 401,
    guest: 403,
    customer: 403,
    editor: 403,
    manager: 403,
    'foreign admin': 403,
    'API key': 200,
  };
  const onRecord = { ...inBusiness, 'foreign admin': 404 };
  const rows: [string, string, Record<string, number>, object?][] = [
    ['GET', '', inBusiness],
    ['POST', '', inBusiness, { url, events: ['order.*'] }],
    ['GET', '/:id', onRecord],
    ['PUT', '/:id', onRecord, { description: 'Changed' }],
    ['POST', '/:id/rotate-secret', onRecord],
    ['POST', '/:id/test', onRecord],
    ['GET', '/:id/deliveries', onRecord],
    ['GET', '/:id/deliveries/:delivery', onRecord],
    ['POST', '/:id/deliveries/:delivery/replay', onRecord],
    ['DELETE', '/:id', { ...onRecord, 'API key': 200 }],
  ];

  describe.each(rows)('%s webhooks%s', (method, path, expected, body) => {
    it.each(Object.entries(expected))('%s: %i', async (person, status) => {
      const address = webhooksPath(shop) + path.replace(':id', endpoint.id).replace(':delivery', delivery.id);
      const response = await t.rest(method, address, { as: people[person], ...(body ? { body } : {}) });
      expect(response.status).toBe(status);
      if (status !== 200) expect(JSON.stringify(response.body)).not.toContain(endpoint.secret);
    });
  });

  it('hides the endpoints of another business', async () => {
    const endpoint = await registerEndpoint(t, shop, url);
    const testDelivery = await t.rest<WebhookDelivery>('POST', `${webhooksPath(shop)}/${endpoint.id}/test`, {
      as: shop.admin,
    });
    const otherEndpoint = await registerEndpoint(t, other, url);
    const probes: [string, string, object?][] = [
      ['GET', `/${endpoint.id}`],
      ['PUT', `/${endpoint.id}`, { status: 'DISABLED' }],
      ['DELETE', `/${endpoint.id}`],
      ['POST', `/${endpoint.id}/rotate-secret`],
      ['POST', `/${endpoint.id}/test`],
      ['GET', `/${endpoint.id}/deliveries`],
      ['GET', `/${endpoint.id}/deliveries/${testDelivery.body.id}`],
      ['GET', `/${otherEndpoint.id}/deliveries/${testDelivery.body.id}`],
      ['POST', `/${endpoint.id}/deliveries/${testDelivery.body.id}/replay`],
      ['POST', `/${otherEndpoint.id}/deliveries/${testDelivery.body.id}/replay`],
      ['GET', '/not-an-id'],
      ['GET', `/${newId()}/deliveries`],
      ['GET', `/${otherEndpoint.id}/deliveries/not-an-id`],
    ];
    for (const [method, path, body] of probes) {
      const response = await t.rest(method, webhooksPath(other) + path, {
        as: other.admin,
        ...(body ? { body } : {}),
      });
      expect([path, response.status]).toEqual([path, 404]);
    }
    const { data } = await t.graphql(
      'query($b: ID!) { webhookDeliveries(businessId: $b) { totalCount nodes { id } } }',
      { b: other.businessId },
      { as: other.admin },
    );
    expect(data).toEqual({ webhookDeliveries: { totalCount: 0, nodes: [] } });
    const { body: untouched } = await t.rest<WebhookEndpoint>('GET', `${webhooksPath(shop)}/${endpoint.id}`, {
      as: shop.admin,
    });
    expect(untouched).toMatchObject({ status: 'ACTIVE', version: 1 });
  });
});

describe('an endpoint', () => {
  it('behaves the same over REST and GraphQL and returns its secret once', async () => {
    const newShop = await t.shop();
    const input = { url, description: 'Warehouse', events: ['order.*', 'stock.low', 'order.*'] };
    const rest = await t.rest<WebhookEndpoint>('POST', webhooksPath(newShop), {
      as: newShop.admin,
      body: input,
    });
    const graphql = await t.graphql(create, { b: newShop.businessId, input }, { as: newShop.admin });
    const viaGraphql = (
      graphql.data?.createWebhookEndpoint as { webhookEndpoint: WebhookEndpoint } | undefined
    )?.webhookEndpoint;
    for (const endpoint of [rest.body, viaGraphql]) {
      expect(endpoint?.secret).toMatch(/^whsec_[\w+/]{43}=$/);
      expect(endpoint).toMatchObject({
        businessId: newShop.businessId,
        url,
        description: 'Warehouse',
        events: ['order.*', 'stock.low'],
        status: 'ACTIVE',
        version: 1,
      });
    }
    const path = `${webhooksPath(newShop)}/${rest.body.id}`;
    const masked = { ...rest.body, secret: `whsec_****${rest.body.secret.slice(-5, -1)}` };
    const read = await t.rest<WebhookEndpoint>('GET', path, { as: newShop.admin });
    expect(read.body).toEqual(masked);
    const { body: list } = await t.rest<{ items: WebhookEndpoint[]; cursor: string | null }>(
      'GET',
      webhooksPath(newShop),
      {
        as: newShop.admin,
      },
    );
    expect(list.items.map(({ id }) => id)).toEqual([viaGraphql?.id, rest.body.id]);
    expect(list.items[1]).toEqual(masked);

    const etag = read.headers.get('etag') ?? '';
    const changed = await t.rest<WebhookEndpoint>('PUT', path, {
      as: newShop.admin,
      headers: { 'if-match': etag },
      body: { status: 'DISABLED', events: ['*'] },
    });
    expect(changed.body).toEqual({
      ...masked,
      events: ['*'],
      status: 'DISABLED',
      disabledReason: 'MANUAL',
      version: 2,
      updatedAt: expect.any(Number),
    });
    const stale = await t.rest('PUT', path, { as: newShop.admin, headers: { 'if-match': etag }, body: {} });
    expect(stale.status).toBe(412);
    expect((await t.rest('DELETE', path, { as: newShop.admin, headers: { 'if-match': etag } })).status).toBe(
      412,
    );
    const enabled = await t.rest<WebhookEndpoint>('PUT', path, {
      as: newShop.admin,
      body: { status: 'ACTIVE' },
    });
    expect(enabled.body).toMatchObject({ status: 'ACTIVE', version: 3 });
    expect(enabled.body.disabledReason).toBeUndefined();

    const rotated = await t.rest<WebhookEndpoint>('POST', `${path}/rotate-secret`, { as: newShop.admin });
    expect(rotated.body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(rotated.body.secret).not.toBe(rest.body.secret);
    expect((await t.rest<WebhookEndpoint>('GET', path, { as: newShop.admin })).body.secret).toMatch(
      /^whsec_\*{4}.{4}$/,
    );

    const deletion = await t.rest('DELETE', path, { as: newShop.admin });
    expect(deletion.body).toEqual({ id: rest.body.id, deleted: true });
    expect((await t.rest('DELETE', path, { as: newShop.admin })).status).toBe(404);
    expect((await t.rest('GET', path, { as: newShop.admin })).status).toBe(404);
  });

  it('is created and rotated once per Idempotency-Key', async () => {
    const newShop = await t.shop();
    const once = { as: newShop.admin, headers: { 'idempotency-key': newId() }, body: { url, events: ['*'] } };
    const first = await t.rest<WebhookEndpoint>('POST', webhooksPath(newShop), once);
    const second = await t.rest<WebhookEndpoint>('POST', webhooksPath(newShop), once);
    expect(second.body).toEqual(first.body);
    const rotate = { as: newShop.admin, headers: { 'idempotency-key': newId() } };
    const path = `${webhooksPath(newShop)}/${first.body.id}/rotate-secret`;
    const [rotated, repeated] = [
      await t.rest<WebhookEndpoint>('POST', path, rotate),
      await t.rest<WebhookEndpoint>('POST', path, rotate),
    ];
    expect(repeated.body).toEqual(rotated.body);
    expect(rotated.body.version).toBe(2);
  });

  it('can be tested only while it is active', async () => {
    const endpoint = await registerEndpoint(t, shop, url);
    const path = `${webhooksPath(shop)}/${endpoint.id}`;
    const { body: testDelivery } = await t.rest<WebhookDelivery>('POST', `${path}/test`, { as: shop.admin });
    expect(testDelivery).toEqual({
      id: expect.any(String),
      endpointId: endpoint.id,
      eventId: expect.any(String),
      type: 'webhook.test',
      data: { businessId: shop.businessId, endpointId: endpoint.id },
      status: 'PENDING',
      attempts: 0,
      nextAttemptAt: expect.any(Number),
      createdAt: expect.any(Number),
    });
    await t.rest('PUT', path, { as: shop.admin, body: { status: 'DISABLED' } });
    for (const action of ['test', `deliveries/${testDelivery.id}/replay`]) {
      const response = await t.rest('POST', `${path}/${action}`, { as: shop.admin });
      expect([response.status, detailErrors(response.body)]).toEqual([422, ['id ENDPOINT_DISABLED']]);
    }
  });
});

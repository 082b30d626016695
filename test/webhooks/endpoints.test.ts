/** Registering endpoints, in both voices: who may, and the life of an endpoint. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { type Delivery, type Endpoint, register, webhooksOf } from '../support/hooks.ts';
import { faultsOf } from '../support/selling.ts';

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
  people.editor = await t.hire(shop, await t.person(), 'EDITOR');
  people.manager = await t.hire(shop, await t.person(), 'MANAGER');
  people['foreign admin'] = other.admin;
  people['API key'] = await t.withApiKey(shop.admin);
});

const fields = `id businessId url description events secret status disabledReason failingSince version createdAt updatedAt`;
const create = `mutation($b: ID!, $input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(businessId: $b, input: $input) { webhookEndpoint { ${fields} } } }`;

describe('who may', () => {
  let endpoint: Endpoint;
  let delivery: Delivery;
  beforeAll(async () => {
    endpoint = await register(t, shop, url);
    delivery = (await t.rest<Delivery>('POST', `${webhooksOf(shop)}/${endpoint.id}/test`, { as: shop.admin }))
      .body;
  });

  const inBusiness = {
    nobody: 401,
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
    it.each(Object.entries(expected))('%s: %i', async (who, status) => {
      const address = webhooksOf(shop) + path.replace(':id', endpoint.id).replace(':delivery', delivery.id);
      const answer = await t.rest(method, address, { as: people[who], ...(body ? { body } : {}) });
      expect(answer.status).toBe(status);
      if (status !== 200) expect(JSON.stringify(answer.body)).not.toContain(endpoint.secret);
    });
  });

  it('does not see the endpoints of another business through its own', async () => {
    const mine = await register(t, shop, url);
    const sent = await t.rest<Delivery>('POST', `${webhooksOf(shop)}/${mine.id}/test`, { as: shop.admin });
    const theirs = await register(t, other, url);
    const probes: [string, string, object?][] = [
      ['GET', `/${mine.id}`],
      ['PUT', `/${mine.id}`, { status: 'DISABLED' }],
      ['DELETE', `/${mine.id}`],
      ['POST', `/${mine.id}/rotate-secret`],
      ['POST', `/${mine.id}/test`],
      ['GET', `/${mine.id}/deliveries`],
      ['GET', `/${mine.id}/deliveries/${sent.body.id}`],
      ['GET', `/${theirs.id}/deliveries/${sent.body.id}`],
      ['POST', `/${mine.id}/deliveries/${sent.body.id}/replay`],
      ['POST', `/${theirs.id}/deliveries/${sent.body.id}/replay`],
      ['GET', '/not-an-id'],
      ['GET', `/${newId()}/deliveries`],
      ['GET', `/${theirs.id}/deliveries/not-an-id`],
    ];
    for (const [method, path, body] of probes) {
      const answer = await t.rest(method, webhooksOf(other) + path, {
        as: other.admin,
        ...(body ? { body } : {}),
      });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const { data } = await t.graphql(
      'query($b: ID!) { webhookDeliveries(businessId: $b) { totalCount nodes { id } } }',
      { b: other.businessId },
      { as: other.admin },
    );
    expect(data).toEqual({ webhookDeliveries: { totalCount: 0, nodes: [] } });
    const { body: untouched } = await t.rest<Endpoint>('GET', `${webhooksOf(shop)}/${mine.id}`, {
      as: shop.admin,
    });
    expect(untouched).toMatchObject({ status: 'ACTIVE', version: 1 });
  });
});

describe('the life of an endpoint', () => {
  it('is the same in both voices, and shows its secret once', async () => {
    const mine = await t.shop();
    const input = { url, description: 'Warehouse', events: ['order.*', 'stock.low', 'order.*'] };
    const rest = await t.rest<Endpoint>('POST', webhooksOf(mine), { as: mine.admin, body: input });
    const graphql = await t.graphql(create, { b: mine.businessId, input }, { as: mine.admin });
    const made = (graphql.data?.createWebhookEndpoint as { webhookEndpoint: Endpoint } | undefined)
      ?.webhookEndpoint;
    for (const endpoint of [rest.body, made]) {
      expect(endpoint?.secret).toMatch(/^whsec_[\w+/]{43}=$/);
      expect(endpoint).toMatchObject({
        businessId: mine.businessId,
        url,
        description: 'Warehouse',
        events: ['order.*', 'stock.low'],
        status: 'ACTIVE',
        version: 1,
      });
    }
    const path = `${webhooksOf(mine)}/${rest.body.id}`;
    const masked = { ...rest.body, secret: `whsec_****${rest.body.secret.slice(-5, -1)}` };
    const read = await t.rest<Endpoint>('GET', path, { as: mine.admin });
    expect(read.body).toEqual(masked);
    const { body: all } = await t.rest<{ items: Endpoint[]; cursor: string | null }>(
      'GET',
      webhooksOf(mine),
      {
        as: mine.admin,
      },
    );
    expect(all.items.map(({ id }) => id)).toEqual([made?.id, rest.body.id]);
    expect(all.items[1]).toEqual(masked);

    const etag = read.headers.get('etag') ?? '';
    const changed = await t.rest<Endpoint>('PUT', path, {
      as: mine.admin,
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
    const stale = await t.rest('PUT', path, { as: mine.admin, headers: { 'if-match': etag }, body: {} });
    expect(stale.status).toBe(412);
    expect((await t.rest('DELETE', path, { as: mine.admin, headers: { 'if-match': etag } })).status).toBe(
      412,
    );
    const enabled = await t.rest<Endpoint>('PUT', path, { as: mine.admin, body: { status: 'ACTIVE' } });
    expect(enabled.body).toMatchObject({ status: 'ACTIVE', version: 3 });
    expect(enabled.body.disabledReason).toBeUndefined();

    const rotated = await t.rest<Endpoint>('POST', `${path}/rotate-secret`, { as: mine.admin });
    expect(rotated.body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(rotated.body.secret).not.toBe(rest.body.secret);
    expect((await t.rest<Endpoint>('GET', path, { as: mine.admin })).body.secret).toMatch(
      /^whsec_\*{4}.{4}$/,
    );

    const gone = await t.rest('DELETE', path, { as: mine.admin });
    expect(gone.body).toEqual({ id: rest.body.id, deleted: true });
    expect((await t.rest('DELETE', path, { as: mine.admin })).status).toBe(404);
    expect((await t.rest('GET', path, { as: mine.admin })).status).toBe(404);
  });

  it('is created once under an Idempotency-Key, and rotated once', async () => {
    const mine = await t.shop();
    const once = { as: mine.admin, headers: { 'idempotency-key': newId() }, body: { url, events: ['*'] } };
    const first = await t.rest<Endpoint>('POST', webhooksOf(mine), once);
    const again = await t.rest<Endpoint>('POST', webhooksOf(mine), once);
    expect(again.body).toEqual(first.body);
    const rotate = { as: mine.admin, headers: { 'idempotency-key': newId() } };
    const path = `${webhooksOf(mine)}/${first.body.id}/rotate-secret`;
    const [one, two] = [
      await t.rest<Endpoint>('POST', path, rotate),
      await t.rest<Endpoint>('POST', path, rotate),
    ];
    expect(two.body).toEqual(one.body);
    expect(one.body.version).toBe(2);
  });

  it('can be tried only while it is active', async () => {
    const endpoint = await register(t, shop, url);
    const path = `${webhooksOf(shop)}/${endpoint.id}`;
    const { body: sent } = await t.rest<Delivery>('POST', `${path}/test`, { as: shop.admin });
    expect(sent).toEqual({
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
    for (const action of ['test', `deliveries/${sent.id}/replay`]) {
      const answer = await t.rest('POST', `${path}/${action}`, { as: shop.admin });
      expect([answer.status, faultsOf(answer.body)]).toEqual([422, ['id ENDPOINT_DISABLED']]);
    }
  });
});

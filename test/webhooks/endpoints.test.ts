/** Registering endpoints, in both voices: who may, what is refused, and what is never shown. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/domains/webhooks/events.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
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

describe('what is refused', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['url REQUIRED', 'events REQUIRED']],
    ['no events', { url, events: [] }, ['events TOO_SHORT']],
    [
      'unknown events',
      { url, events: ['order.created', 'order', 'order.exploded', '*.created', 'webhook.test', ''] },
      [
        'events.1 UNKNOWN_EVENT',
        'events.2 UNKNOWN_EVENT',
        'events.3 UNKNOWN_EVENT',
        'events.4 UNKNOWN_EVENT',
        'events.5 UNKNOWN_EVENT',
      ],
    ],
    ['other types', { url: 5, events: 'order.*' }, ['url INVALID_TYPE', 'events INVALID_TYPE']],
    [
      'everything at once',
      { url: 'http://10.0.0.1', events: ['x'], description: 'x'.repeat(501) },
      ['url PRIVATE_ADDRESS', 'description TOO_LONG', 'events.0 UNKNOWN_EVENT'],
    ],
    ['plain http', { url: 'http://hooks.example', events: ['*'] }, ['url HTTPS_REQUIRED']],
    ['loopback', { url: 'https://127.0.0.1', events: ['*'] }, ['url PRIVATE_ADDRESS']],
    ['loopback in disguise', { url: 'https://0x7f000001', events: ['*'] }, ['url PRIVATE_ADDRESS']],
    ['metadata', { url: 'https://169.254.169.254/latest', events: ['*'] }, ['url PRIVATE_ADDRESS']],
    ['credentials', { url: 'https://a:b@hooks.example', events: ['*'] }, ['url INVALID_URL']],
    [
      'an endless address',
      { url: `https://hooks.example/${'a'.repeat(2000)}`, events: ['*'] },
      ['url TOO_LONG'],
    ],
  ])('%s', async (_what, body, faults) => {
    const answer = await t.rest('POST', webhooksOf(shop), { as: shop.admin, body });
    expect([answer.status, faultsOf(answer.body).sort()]).toEqual([422, [...faults].sort()]);
  });

  it('an update into a private network', async () => {
    const endpoint = await register(t, shop, url);
    const answer = await t.rest('PUT', `${webhooksOf(shop)}/${endpoint.id}`, {
      as: shop.admin,
      body: { url: 'https://[::1]/', status: 'BROKEN' },
    });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer.body).sort()).toEqual(['status INVALID_VALUE', 'url PRIVATE_ADDRESS']);
  });

  it('the twenty-first, also when two come at once', async () => {
    const mine = await t.shop();
    for (let count = 0; count < 19; count += 1) await register(t, mine, url);
    const body = { url, events: ['*'] };
    const answers = await Promise.all(
      [1, 2, 3].map(() => t.rest('POST', webhooksOf(mine), { as: mine.admin, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(faultsOf(refused?.body)).toEqual(['url TOO_MANY_ENDPOINTS']);
  });
});

it('accepts every type, group and all, and names them in the schema', async () => {
  const mine = await t.shop();
  const groups = [
    'order.*',
    'payment.*',
    'product.*',
    'stock.*',
    'entry.*',
    'subscription.*',
    'newsletter.*',
  ];
  const events = [...Object.keys(eventTypes), ...groups, '*'];
  expect((await register(t, mine, url, events)).events).toEqual(events);
  const { data } = await t.graphql('{ __type(name: "WebhookEndpoint") { fields { name description } } }');
  const type = data?.__type as { fields: { name: string; description: string }[] } | undefined;
  const described = type?.fields.find(({ name }) => name === 'events')?.description;
  for (const event of events) expect(described).toContain(event);
});

describe('lists', () => {
  it.each([1, 10, 100])('cost a constant number of statements for %i items', async (count) => {
    const mine = await t.shop();
    const endpoints = Array.from({ length: Math.min(count, 20) }, () => newId());
    for (const id of endpoints)
      await t.db.prisma.webhookEndpoint.create({
        data: {
          id,
          businessId: mine.businessId,
          url,
          events: ['*'],
          secret: 'whsec_c2VjcmV0',
          createdAt: 1,
          updatedAt: 1,
        },
      });
    for (let index = 0; index < count; index += 1) {
      const eventId = newId();
      const stamps = { businessId: mine.businessId, createdAt: now() };
      await t.db.prisma.webhookEvent.create({
        data: {
          id: eventId,
          type: 'order.created',
          data: { id: 1 },
          ...stamps,
        },
      });
      await t.db.prisma.webhookDelivery.create({
        data: {
          id: newId(),
          eventId,
          endpointId: endpoints[0] ?? '',
          nextAttemptAt: 0,
          ...stamps,
        },
      });
    }
    const ask = async (query: string) => {
      await t.graphql(query, { b: mine.businessId, e: endpoints[0] }, { as: mine.admin });
      t.statements.length = 0;
      const { data, errors } = await t.graphql(
        query,
        { b: mine.businessId, e: endpoints[0] },
        { as: mine.admin },
      );
      expect(errors).toEqual([]);
      const { nodes } = Object.values(data ?? {})[0] as unknown as { nodes: unknown[] };
      return [nodes.length, t.statements.length];
    };
    expect(
      await ask(
        'query($b: ID!) { webhookEndpoints(businessId: $b, first: 100) { nodes { id secret events } } }',
      ),
    ).toEqual([endpoints.length, 2]);
    expect(
      await ask(
        'query($b: ID!) { webhookDeliveries(businessId: $b, first: 100) { nodes { id type data } } }',
      ),
    ).toEqual([count, 2]);
    expect(
      await ask(
        'query($b: ID!, $e: ID!) { webhookDeliveries(businessId: $b, endpointId: $e, status: PENDING, first: 100) { nodes { id type data } } }',
      ),
    ).toEqual([count, 3]);
  });

  it('are paged, newest first', async () => {
    const mine = await t.shop();
    const endpoint = await register(t, mine, url);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { body } = await t.rest<Delivery>('POST', `${webhooksOf(mine)}/${endpoint.id}/test`, {
        as: mine.admin,
      });
      ids.unshift(body.id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { items: Delivery[]; cursor: string | null } } = await t.rest(
        'GET',
        `${webhooksOf(mine)}/${endpoint.id}/deliveries?limit=2&cursor=${cursor}`,
        { as: mine.admin },
      );
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.cursor;
    }
    expect(seen).toEqual(ids);
    const one = await t.rest<Delivery>('GET', `${webhooksOf(mine)}/${endpoint.id}/deliveries/${ids[0]}`, {
      as: mine.admin,
    });
    expect(one.body).toMatchObject({ id: ids[0], type: 'webhook.test', status: 'PENDING' });
    const forged = await t.rest('GET', `${webhooksOf(mine)}/${endpoint.id}/deliveries?cursor=abcdef`, {
      as: mine.admin,
    });
    expect(forged.status).toBe(422);
    const odd = await t.rest('GET', `${webhooksOf(mine)}/${endpoint.id}/deliveries?status=LOST`, {
      as: mine.admin,
    });
    expect(odd.status).toBe(422);
  });
});

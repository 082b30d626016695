/** Validation of webhook endpoints, and the lists of endpoints and deliveries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { webhookEventDescriptions } from '../../src/domains/webhooks/webhook-event-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import { registerEndpoint, type WebhookDelivery, webhooksPath } from '../support/webhook-receiver.ts';

let t: TestApp;
let shop: Shop;
const url = 'https://hooks.example/duet';

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

describe('rejects', () => {
  it.each<[string, unknown, string[]]>([
    ['missing fields', {}, ['url REQUIRED', 'events REQUIRED']],
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
      'several errors at once',
      { url: 'http://10.0.0.1', events: ['x'], description: 'x'.repeat(501) },
      ['url PRIVATE_ADDRESS', 'description TOO_LONG', 'events.0 UNKNOWN_EVENT'],
    ],
    ['plain http', { url: 'http://hooks.example', events: ['*'] }, ['url HTTPS_REQUIRED']],
    ['loopback', { url: 'https://127.0.0.1', events: ['*'] }, ['url PRIVATE_ADDRESS']],
    [
      'loopback as a hexadecimal number',
      { url: 'https://0x7f000001', events: ['*'] },
      ['url PRIVATE_ADDRESS'],
    ],
    ['metadata', { url: 'https://169.254.169.254/latest', events: ['*'] }, ['url PRIVATE_ADDRESS']],
    ['credentials', { url: 'https://a:b@hooks.example', events: ['*'] }, ['url INVALID_URL']],
    [
      'a URL that is too long',
      { url: `https://hooks.example/${'a'.repeat(2000)}`, events: ['*'] },
      ['url TOO_LONG'],
    ],
  ])('%s', async (_name, body, errors) => {
    const response = await t.rest('POST', webhooksPath(shop), { as: shop.admin, body });
    expect([response.status, detailErrors(response.body).sort()]).toEqual([422, [...errors].sort()]);
  });

  it('an update to a private address', async () => {
    const endpoint = await registerEndpoint(t, shop, url);
    const response = await t.rest('PUT', `${webhooksPath(shop)}/${endpoint.id}`, {
      as: shop.admin,
      body: { url: 'https://[::1]/', status: 'BROKEN' },
    });
    expect(response.status).toBe(422);
    expect(detailErrors(response.body).sort()).toEqual(['status INVALID_VALUE', 'url PRIVATE_ADDRESS']);
  });

  it('the twenty-first endpoint, also with concurrent requests', async () => {
    const newShop = await t.shop();
    for (let count = 0; count < 19; count += 1) await registerEndpoint(t, newShop, url);
    const body = { url, events: ['*'] };
    const responses = await Promise.all(
      [1, 2, 3].map(() => t.rest('POST', webhooksPath(newShop), { as: newShop.admin, body })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const rejected = responses.find(({ status }) => status === 422);
    expect(detailErrors(rejected?.body)).toEqual(['url TOO_MANY_ENDPOINTS']);
  });
});

it('accepts every event type and group and *, and lists them in the schema', async () => {
  const newShop = await t.shop();
  const groups = [
    'order.*',
    'payment.*',
    'product.*',
    'stock.*',
    'entry.*',
    'subscription.*',
    'newsletter.*',
  ];
  const events = [...Object.keys(webhookEventDescriptions), ...groups, '*'];
  expect((await registerEndpoint(t, newShop, url, events)).events).toEqual(events);
  const { data } = await t.graphql(
    '{ __type(name: "WebhookEndpoint") { fields(includeDeprecated: true) { name description } } }',
  );
  const type = data?.__type as { fields: { name: string; description: string }[] } | undefined;
  const described = type?.fields.find(({ name }) => name === 'events')?.description;
  for (const event of events) expect(described).toContain(event);
});

describe('lists', () => {
  it.each([1, 10, 100])('cost a constant number of statements for %i items', async (count) => {
    const newShop = await t.shop();
    const endpoints = Array.from({ length: Math.min(count, 20) }, () => newId());
    for (const id of endpoints)
      await t.db.prisma.webhookEndpoint.create({
        data: {
          id,
          businessId: newShop.businessId,
          url,
          events: ['*'],
          secret: 'whsec_c2VjcmV0',
          createdAt: 1,
          updatedAt: 1,
        },
      });
    for (let index = 0; index < count; index += 1) {
      const eventId = newId();
      const stamps = { businessId: newShop.businessId, createdAt: now() };
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
    const measure = async (query: string) => {
      await t.graphql(query, { b: newShop.businessId, e: endpoints[0] }, { as: newShop.admin });
      t.statements.length = 0;
      const { data, errors } = await t.graphql(
        query,
        { b: newShop.businessId, e: endpoints[0] },
        { as: newShop.admin },
      );
      expect(errors).toEqual([]);
      const { nodes } = Object.values(data ?? {})[0] as unknown as { nodes: unknown[] };
      return [nodes.length, t.statements.length];
    };
    expect(
      await measure(
        'query($b: ID!) { webhookEndpoints(businessId: $b, first: 100) { nodes { id secret events } } }',
      ),
    ).toEqual([endpoints.length, 2]);
    expect(
      await measure(
        'query($b: ID!) { webhookDeliveries(businessId: $b, first: 100) { nodes { id type data } } }',
      ),
    ).toEqual([count, 2]);
    expect(
      await measure(
        'query($b: ID!, $e: ID!) { webhookDeliveries(businessId: $b, endpointId: $e, status: PENDING, first: 100) { nodes { id type data } } }',
      ),
    ).toEqual([count, 3]);
  });

  it('are paged, newest first', async () => {
    const newShop = await t.shop();
    const endpoint = await registerEndpoint(t, newShop, url);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { body } = await t.rest<WebhookDelivery>('POST', `${webhooksPath(newShop)}/${endpoint.id}/test`, {
        as: newShop.admin,
      });
      ids.unshift(body.id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { items: WebhookDelivery[]; cursor: string | null } } = await t.rest(
        'GET',
        `${webhooksPath(newShop)}/${endpoint.id}/deliveries?limit=2&cursor=${cursor}`,
        { as: newShop.admin },
      );
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.cursor;
    }
    expect(seen).toEqual(ids);
    const delivery = await t.rest<WebhookDelivery>(
      'GET',
      `${webhooksPath(newShop)}/${endpoint.id}/deliveries/${ids[0]}`,
      {
        as: newShop.admin,
      },
    );
    expect(delivery.body).toMatchObject({ id: ids[0], type: 'webhook.test', status: 'PENDING' });
    const invalidCursor = await t.rest(
      'GET',
      `${webhooksPath(newShop)}/${endpoint.id}/deliveries?cursor=abcdef`,
      {
        as: newShop.admin,
      },
    );
    expect(invalidCursor.status).toBe(422);
    const invalidStatus = await t.rest(
      'GET',
      `${webhooksPath(newShop)}/${endpoint.id}/deliveries?status=LOST`,
      {
        as: newShop.admin,
      },
    );
    expect(invalidStatus.status).toBe(422);
  });
});

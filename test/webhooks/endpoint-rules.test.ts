/** What an endpoint may be, and the lists of endpoints and their deliveries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { webhookEventTypes } from '../../src/domains/webhooks/events.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { type Delivery, register, webhooksOf } from '../support/hooks.ts';
import { faultsOf } from '../support/selling.ts';

let t: TestApp;
let shop: Shop;
const url = 'https://hooks.example/duet';

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
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
  const events = [...Object.keys(webhookEventTypes), ...groups, '*'];
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

/** Test setup: one app with two selling shops and a receiver of all events of the first shop. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import {
  registerEndpoint,
  startWebhookReceiver,
  verifyWebhook,
  type WebhookEndpoint,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

export let t: TestApp;
export let hooks: WebhookReceiver;
export let shop: SellingShop;
let other: SellingShop;
export let guest: Person;
export let endpoint: WebhookEndpoint;
export let base: string;

beforeAll(async () => {
  t = await testApp({
    WEBHOOK_ALLOW_PRIVATE: 'on',
    PUBLIC_URL: 'http://pay.test',
    NEWSLETTER_PER_SECOND: '10000',
  });
  hooks = await startWebhookReceiver();
  [shop, other, guest] = [await createSellingShop(t), await createSellingShop(t), await t.guest()];
  base = `/v1/businesses/${shop.businessId}`;
  endpoint = await registerEndpoint(t, shop, `${hooks.url}/all`);
  await registerEndpoint(t, other, `${hooks.url}/other`);
});

export interface ReceivedEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Events received since the last call, sorted by type. */
export async function receivedEvents(): Promise<ReceivedEvent[]> {
  await t.app.drainJobs();
  expect(hooks.received.map(({ path }) => path).filter((path) => path !== '/all')).toEqual([]);
  const events = hooks.received
    .splice(0)
    .map((hook) => verifyWebhook(endpoint.secret, hook) as ReceivedEvent & { timestamp: string });
  return events
    .map(({ timestamp, ...event }) => {
      expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
      return event;
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

beforeEach(async () => {
  await receivedEvents();
});

export const call = async <Body = Record<string, never>>(
  method: string,
  path: string,
  body?: object,
  as = shop.admin,
) => {
  const response = await t.rest<Body>(method, `${base}/${path}`, { as, ...(body ? { body } : {}) });
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
};

/** Registered last in a file: checks all events that its tests have emitted. */
export const assertNoPersonalData = () =>
  it('emits no personal data except ids', async () => {
    const rows = await t.db.sql<{ data: string }>('select data::text as data from webhook_events');
    expect(rows.length).toBeGreaterThan(15);
    for (const { data } of rows) expect(data).not.toMatch(/@|mail\.example|Ada|people\.example/);
  });

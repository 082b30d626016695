/** Webhook events of committed changes are delivered although the gateway is killed during deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { deliverWebhooksJob } from '../../src/domains/webhooks/delivery/deliver-webhooks.ts';
import { newId } from '../../src/lib/ids.ts';
import { TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import {
  acceptWebhook,
  makeDeliveriesDue,
  registerEndpoint,
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const env = { WEBHOOK_ALLOW_PRIVATE: 'on' };
let t: TestApp;
let hooks: WebhookReceiver;
let gateway: Gateway;

beforeAll(async () => {
  const url = await auditedDatabaseUrl();
  const db = await openDb({ url });
  const app = await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) });
  t = new TestApp(app, db, []);
  hooks = await startWebhookReceiver();
  gateway = await startGateway({ DATABASE_URL: url, ...env });
});
afterAll(async () => {
  await gateway.kill();
  await t.db.close();
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

it('delivers every event at least once', async () => {
  const shop = await t.shop();
  const endpoint = await registerEndpoint(t, shop, hooks.url);
  hooks.respond = () => {};
  const products = `/v1/businesses/${shop.businessId}/products`;
  for (let count = 0; count < 20; count += 1)
    await t.rest('POST', products, { as: shop.admin, body: { name: newId() } });
  await until(() => hooks.received.length >= 5);
  await gateway.kill();
  const interrupted = hooks.received.length;
  hooks.respond = acceptWebhook;
  await gateway.restart();
  // Instead of waiting a minute until the claims of the killed process expire.
  await makeDeliveriesDue(t);
  await t.app.services.jobs.enqueue(t.db, deliverWebhooksJob, {});
  await until(async () => {
    const [undelivered] = await t.db.sql<{ count: number }>(
      `select count(*)::int as count from webhook_deliveries where status <> 'DELIVERED'`,
    );
    return undelivered?.count === 0;
  });
  const ids = hooks.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(20);
  expect(ids.length).toBeLessThanOrEqual(20 + interrupted);
  for (const request of hooks.received) verifyWebhook(endpoint.secret, request);
});

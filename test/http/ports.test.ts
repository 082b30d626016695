/** What is counted and traced of the parts outside: every call, and an end that is a failure as one. */
import { beforeAll, expect, it } from 'vitest';
import { createPrometheus, type Prometheus } from '../../src/adapters/metrics/prometheus.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Hooks, startHooks } from '../support/hooks.ts';

let t: TestApp;
let hooks: Hooks;
let prometheus: Prometheus;
beforeAll(async () => {
  prometheus = createPrometheus();
  t = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'on' }, undefined, prometheus);
  hooks = await startHooks();
});

/** How often each call of a port ended how, as in `post ok`. */
async function counted(port: string): Promise<Record<string, number>> {
  const series =
    /^duet_port_call_duration_seconds_count\{port="(\w+)",call="(\w+)",outcome="(\w+)"\} (\d+)$/gm;
  const all = [...(await prometheus.text()).matchAll(series)].filter(([, its]) => its === port);
  return Object.fromEntries(all.map(([, , call, outcome, count]) => [`${call} ${outcome}`, Number(count)]));
}

/** A page of the sandbox on which 1000 were paid. */
async function paidPage(): Promise<{ id: string; paymentId: string }> {
  const { id } = await t.app.services.payments.createSession({
    reference: `order:${newId()}`,
    merchant: 'Shop',
    currency: 'EUR',
    amount: 1000,
    lines: [{ name: 'Lamp', quantity: 1, amount: 1000 }],
    expiresAt: now() + 3600,
    returnUrl: 'http://shop.test/',
    cancelUrl: 'http://shop.test/',
  });
  await t.db.sql(
    `update sandbox_payments set state = 'PAID', refunds = '{"failed:back": 10}' where id = $1`,
    [id],
  );
  return { id, paymentId: `pay_${id}` };
}

it('counts a delivery as failed that its receiver did not take', async () => {
  const { webhooks } = t.app.services;
  for (const status of [200, 204, 302, 410, 500]) {
    hooks.answer = (response) => void response.writeHead(status).end();
    expect(await webhooks.post({ url: hooks.url, headers: {}, body: '{}' })).toMatchObject({ status });
  }
  expect(await counted('webhooks')).toEqual({ 'post ok': 2, 'post failed': 3 });
});

it('counts a refund as failed that the provider could not make', async () => {
  const { payments } = t.app.services;
  const { paymentId } = await paidPage();
  const refund = { paymentId, amount: 10, currency: 'EUR', since: now() };
  expect(await payments.refund({ ...refund, key: 'back' })).toMatchObject({ status: 'failed' });
  expect(await payments.refund({ ...refund, key: 'again' })).toMatchObject({ status: 'succeeded' });
  expect(await counted('payments')).toMatchObject({ 'refund failed': 1, 'refund ok': 1 });
});

/** Metrics and traces of the ports to external services: every call, with failed outcomes counted as failed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPrometheus, type Prometheus } from '../../src/adapters/metrics/prometheus.ts';
import { portInstrumenters } from '../../src/instrument-ports-and-jobs.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { setSpanCollector } from '../../src/lib/tracing.ts';
import { type IdentityProvider, IdentityRejectedError } from '../../src/ports/identity.ts';
import { type PaymentProvider, PaymentRejectedError } from '../../src/ports/payments.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Nothing listens on this port. */
const noProvider = {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'duet',
  OIDC_CLIENT_SECRET: 'secret',
};

let t: TestApp;
let hooks: WebhookReceiver;
let prometheus: Prometheus;
beforeAll(async () => {
  prometheus = createPrometheus();
  t = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'on', ...noProvider }, undefined, prometheus);
  hooks = await startWebhookReceiver();
});

const spans: string[] = [];
const collector = { ratio: 1, collect: ({ name }: { name: string }) => void spans.push(name) };
afterAll(() => setSpanCollector(undefined));

/** Number of calls of a port by call and outcome, such as `post ok`. */
async function countCalls(port: string): Promise<Record<string, number>> {
  const series =
    /^duet_port_call_duration_seconds_count\{port="(\w+)",call="(\w+)",outcome="(\w+)"\} (\d+)$/gm;
  const all = [...(await prometheus.text()).matchAll(series)].filter(([, labelled]) => labelled === port);
  return Object.fromEntries(all.map(([, , call, outcome, count]) => [`${call} ${outcome}`, Number(count)]));
}

/** A paid sandbox session of 1000. */
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
  await t.db.write(
    `update sandbox_payments set state = 'PAID', refunds = '{"failed:back": 10}' where id = $1`,
    [id],
  );
  return { id, paymentId: `pay_${id}` };
}

it('counts a delivery without a 2xx response as failed', async () => {
  const { webhooks } = t.app.services;
  for (const status of [200, 204, 302, 410, 500]) {
    hooks.respond = (response) => void response.writeHead(status).end();
    expect(await webhooks.post({ url: hooks.url, headers: {}, body: '{}' })).toMatchObject({ status });
  }
  expect(await countCalls('webhooks')).toEqual({ 'post ok': 2, 'post failed': 3 });
});

it('counts a failed refund as failed', async () => {
  const { payments } = t.app.services;
  const { paymentId } = await paidPage();
  const refund = { paymentId, amount: 10, currency: 'EUR', since: now() };
  expect(await payments.refund({ ...refund, key: 'back' })).toMatchObject({ status: 'failed' });
  expect(await payments.refund({ ...refund, key: 'again' })).toMatchObject({ status: 'succeeded' });
  expect(await countCalls('payments')).toMatchObject({ 'refund failed': 1, 'refund ok': 1 });
});

it('counts and traces every call to the payment provider, including recurring payments', async () => {
  const { payments } = t.app.services;
  const { id, paymentId } = await paidPage();
  const before = await countCalls('payments');
  setSpanCollector(collector);
  expect(await payments.findSession(id)).toMatchObject({ state: 'paid' });
  expect(await payments.findPayment(paymentId)).toMatchObject({ captured: 1000 });
  expect(await payments.findRefund('re_back')).toMatchObject({ status: 'failed' });
  expect(await payments.listRecurringEvents('sub_none')).toMatchObject([{ recurring: { status: 'ended' } }]);
  await expect(payments.setCancelAtPeriodEnd('sub_none', true)).rejects.toThrow(PaymentRejectedError);
  await payments.cancelRecurring('sub_none');
  setSpanCollector(undefined);
  const calls = [
    'findSession',
    'findPayment',
    'findRefund',
    'listRecurringEvents',
    'setCancelAtPeriodEnd',
    'cancelRecurring',
  ];
  expect(await countCalls('payments')).toEqual({
    ...before,
    ...Object.fromEntries(calls.map((call) => [`${call} ok`, 1])),
  });
  expect(spans).toEqual(expect.arrayContaining(calls.map((call) => `payments ${call}`)));
});

const request = { redirectUri: 'http://duet.test/', state: 's', nonce: 'n', codeVerifier: 'v' };

it('counts and traces every call to the identity provider', async () => {
  const { identity } = t.app.services;
  setSpanCollector(collector);
  await expect(identity?.authorizationUrl(request)).rejects.toThrow();
  await expect(identity?.finish(request, 'code=c')).rejects.toThrow();
  await expect(identity?.revoke('token')).rejects.toThrow();
  setSpanCollector(undefined);
  const calls = ['authorizationUrl', 'finish', 'revoke'];
  expect(await countCalls('identity')).toEqual(
    Object.fromEntries(calls.map((call) => [`${call} failed`, 1])),
  );
  expect(spans).toEqual(expect.arrayContaining(calls.map((call) => `identity ${call}`)));
});

it('counts a rejected sign-in or lookup as ok, and a rejected payment as failed', async () => {
  const recorded: string[] = [];
  const metrics = {
    call: (_: string, call: string, outcome: string) => void recorded.push(`${call} ${outcome}`),
  };
  const reject = async () => Promise.reject(new IdentityRejectedError('no'));
  const identity: IdentityProvider = { authorizationUrl: reject, finish: reject, revoke: reject };
  await expect(portInstrumenters.identity(metrics, identity).finish(request, '')).rejects.toThrow(
    IdentityRejectedError,
  );
  const rejectPayment = async () => Promise.reject(new PaymentRejectedError('no'));
  const payments = portInstrumenters.payments(metrics, {
    ...t.app.services.payments,
    createSession: rejectPayment,
    refund: rejectPayment,
    findRefund: rejectPayment,
    findSession: async () => Promise.reject(new Error('no answer')),
  } satisfies PaymentProvider);
  const page = {} as Parameters<PaymentProvider['createSession']>[0];
  const refund = {} as Parameters<PaymentProvider['refund']>[0];
  await expect(payments.createSession(page)).rejects.toThrow(PaymentRejectedError);
  await expect(payments.refund(refund)).rejects.toThrow(PaymentRejectedError);
  await expect(payments.findRefund('r')).rejects.toThrow(PaymentRejectedError);
  await expect(payments.findSession('s')).rejects.toThrow('no answer');
  expect(recorded).toEqual([
    'finish ok',
    'createSession failed',
    'refund failed',
    'findRefund ok',
    'findSession failed',
  ]);
});

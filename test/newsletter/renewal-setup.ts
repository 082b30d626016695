/** Test setup: subscribers of renewing plans on the sandbox provider, with a fake clock and a ledger comparison. */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import type { SandboxSubscriptionAction } from '../../src/adapters/payments/sandbox-subscriptions.ts';
import { processProviderCancellations } from '../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { allJobs } from '../../src/maintenance/all-jobs.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export const day = 86_400_000;
/**
 * The first test starts on 31 January of the next leap year, every further test one year later: the embedded database sets timers by
 * this clock, so it must not run backwards.
 */
export const leapYear = 4 * Math.ceil((new Date().getUTCFullYear() + 1) / 4);
const start = Date.UTC(leapYear, 0, 31, 10);
export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let caller: Person;
export let owner: Account;
export let sandbox: SandboxPaymentProvider;
export let base: string;

beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test', RATE_LIMIT: 'off' });
  // API keys, because access tokens expire within the simulated year.
  const withAdminKey = async (created: Shop) => ({ ...created, admin: await t.withApiKey(created.admin) });
  [shop, other] = [await withAdminKey(await t.shop()), await withAdminKey(await t.shop())];
  caller = await t.withApiKey(await t.person());
  sandbox = t.app.services.payments as SandboxPaymentProvider;
  base = `/v1/businesses/${shop.businessId}`;
  owner = await createAccount(t);
  vi.useFakeTimers({ toFake: ['Date'] });
});
beforeEach(async () => {
  const isFirst = Date.now() < start;
  vi.setSystemTime(isFirst ? start : Date.UTC(new Date().getUTCFullYear() + 1, 0, 31, 10));
  owner.token = (await t.app.services.tokens.issueAccess({ sub: owner.userId, provider: 'EMAIL' })).token;
});
afterAll(() => vi.useRealTimers());

export interface SubscriptionBody {
  id: string;
  status: string;
  planId: string;
  renewalState?: string;
  currentPeriodStart?: number;
  currentPeriodEnd?: number;
  cancelAtPeriodEnd?: boolean;
  graceUntil?: number;
  checkoutUrl: string;
}

export const plan = (id: string, amount: number, interval?: string) => ({
  id,
  name: id,
  price: { amount, currency: 'usd', ...(interval ? { interval } : {}) },
});

export async function createSubscriber(planId = 'monthly', email = `${newId()}@mail.example`) {
  const { body: newsletter } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as: shop.admin,
    body: {
      name: 'Letter',
      type: 'NEWSLETTER',
      plans: [
        plan('free', 0),
        plan('once', 700),
        plan('weekly', 100, 'weekly'),
        plan('monthly', 500, 'MONTHLY'),
        plan('yearly', 5000, 'YEARLY'),
      ],
    },
  });
  const subscribe = async (chosenPlan = planId) =>
    (
      await t.rest<SubscriptionBody>('POST', `${base}/collections/${newsletter.id}/subscribe`, {
        as: caller,
        body: { email, planId: chosenPlan },
      })
    ).body;
  const { checkoutUrl } = await subscribe();
  const page = checkoutUrl ? sessionOf({ checkoutUrl }) : '';
  await pay(page);
  const { id } = await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email } });
  const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
  return {
    id,
    email,
    page,
    token,
    newsletterId: newsletter.id,
    subscribe,
    read: async () => {
      const { data } = await t.graphql(
        `query ($b: ID!, $c: ID!) { subscribers(businessId: $b, collectionId: $c) { nodes { id status planId renewalState
          currentPeriodStart currentPeriodEnd cancelAtPeriodEnd graceUntil } } }`,
        { b: shop.businessId, c: newsletter.id },
        { as: shop.admin },
      );
      return (data as unknown as { subscribers: { nodes: SubscriptionBody[] } }).subscribers.nodes[0];
    },
    applyAction: async (action: SandboxSubscriptionAction) => {
      await sandbox.applyRecurringAction(page, action);
      await runAllJobs();
    },
    unsubscribe: async () => {
      await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token } });
      await runAllJobs();
    },
    resubscribe: async () =>
      (await t.rest<SubscriptionBody>('POST', `${base}/subscriptions/resubscribe`, { body: { token } })).body,
    post: (action: string, body: object = { token }, as?: Person) =>
      t.rest<SubscriptionBody>('POST', `${base}/subscriptions/${id}/${action}`, { as, body }),
  };
}

export const sessionOf = ({ checkoutUrl }: { checkoutUrl: string }) => checkoutUrl.split('/').at(-1) ?? '';
export const pay = async (session: string) => {
  await sandbox.applyAction(session, 'pay');
  await runAllJobs();
};

/** Advances the clock and runs the scheduled billing, sync and cancellation jobs. */
export async function advanceClock(milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + milliseconds);
  await sandbox.createDueInvoices?.();
  await runAllJobs();
  await syncDueRenewals(t.app.services);
  await processProviderCancellations(t.app.services);
  await runAllJobs();
}

/** Net amount recorded for a subscription, and the net amount of its payments at the sandbox. */
export async function loadLedger(id: string) {
  const [ours] = await t.db.sql<{ recorded: number }>(
    `select coalesce(sum(a.captured - a.refunded_elsewhere - (select coalesce(sum(r.amount), 0) from refunds r
       where r.attempt_id = a.id and r.status <> 'FAILED')), 0)::bigint as recorded from payment_attempts a where a.subject_id = $1`,
    [id],
  );
  const payments = await t.db.sql<{ id: string }>(
    `select id from sandbox_payments where state = 'PAID' and reference like '%' || $1 || '%'`,
    [id],
  );
  let atProvider = 0;
  for (const { id: session } of payments) {
    const payment = await sandbox.findPayment(`pay_${session}`);
    atProvider += payment ? payment.captured - payment.refunded : 0;
  }
  return { recorded: ours?.recorded, atProvider };
}

/** Runs all queued jobs regardless of their start time: the queue uses the clock of the database, not the fake one. */
export async function runAllJobs(): Promise<void> {
  const dequeue = () =>
    t.db.write<{ name: string; data: object }>(
      `delete from pgboss.job where state = 'created' returning name, data`,
      [],
    );
  for (let queued = await dequeue(); queued.length > 0; queued = await dequeue())
    for (const { name, data } of queued)
      await allJobs.find((job) => job.name === name)?.run(t.app.services, data);
}

export const isEndedAtProvider = async (page: string) =>
  (await sandbox.findRecurring(page))?.state === 'ENDED';

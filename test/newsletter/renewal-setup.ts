/** Readers of plans that renew on the sandbox, with a clock of the test's own and books to compare. */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import type { SandboxRecurringAction } from '../../src/adapters/payments/sandbox-recurring.ts';
import { processProviderCancellations } from '../../src/domains/newsletter/billing/provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { allJobs } from '../../src/maintenance/background-jobs.ts';
import { type Account, account } from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

export const day = 86_400_000;
/**
 * The first test begins on the last of January in the next leap year, the others in a year after that: the embedded database sets
 * timers by this clock, so it must not go back.
 */
export const leapYear = 4 * Math.ceil((new Date().getUTCFullYear() + 1) / 4);
const start = Date.UTC(leapYear, 0, 31, 10);
export let t: TestApp;
export let shop: Shop;
export let other: Shop;
export let caller: Person;
export let owner: Account;
export let sandbox: SandboxPayments;
export let base: string;

beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test', RATE_LIMIT: 'off' });
  // Tokens would not last the year.
  const keyed = async (opened: Shop) => ({ ...opened, admin: await t.withApiKey(opened.admin) });
  [shop, other] = [await keyed(await t.shop()), await keyed(await t.shop())];
  caller = await t.withApiKey(await t.person());
  sandbox = t.app.services.payments as SandboxPayments;
  base = `/v1/businesses/${shop.businessId}`;
  owner = await account(t);
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
  const { body: letter } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
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
  const subscribe = async (chosen = planId) =>
    (
      await t.rest<SubscriptionBody>('POST', `${base}/collections/${letter.id}/subscribe`, {
        as: caller,
        body: { email, planId: chosen },
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
    letter: letter.id,
    subscribe,
    shown: async () => {
      const { data } = await t.graphql(
        `query ($b: ID!, $c: ID!) { subscribers(businessId: $b, collectionId: $c) { nodes { id status planId renewalState
          currentPeriodStart currentPeriodEnd cancelAtPeriodEnd graceUntil } } }`,
        { b: shop.businessId, c: letter.id },
        { as: shop.admin },
      );
      return (data as unknown as { subscribers: { nodes: SubscriptionBody[] } }).subscribers.nodes[0];
    },
    press: async (action: SandboxRecurringAction) => {
      await sandbox.applyRecurringAction(page, action);
      await runAllJobs();
    },
    unsubscribe: async () => {
      await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token } });
      await runAllJobs();
    },
    act: (what: string, body: object = { token }, as?: Person) =>
      t.rest<SubscriptionBody>('POST', `${base}/subscriptions/${id}/${what}`, { as, body }),
  };
}

export const sessionOf = ({ checkoutUrl }: { checkoutUrl: string }) => checkoutUrl.split('/').at(-1) ?? '';
export const pay = async (session: string) => {
  await sandbox.applyAction(session, 'pay');
  await runAllJobs();
};

/** The minute has come: what the gateway does by the clock, as often as it takes. */
export async function advanceClock(milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + milliseconds);
  await sandbox.billDue?.();
  await runAllJobs();
  await syncDueRenewals(t.app.services);
  await processProviderCancellations(t.app.services);
  await runAllJobs();
}

/** What we have in our books of a subscription, and what the sandbox holds of everything paid for it. */
export async function loadLedger(id: string) {
  const [ours] = await t.db.sql<{ kept: number }>(
    `select coalesce(sum(a.captured - a.refunded_elsewhere - (select coalesce(sum(r.amount), 0) from refunds r
       where r.attempt_id = a.id and r.status <> 'FAILED')), 0)::bigint as kept from payment_attempts a where a.subject_id = $1`,
    [id],
  );
  const payments = await t.db.sql<{ id: string }>(
    `select id from sandbox_payments where state = 'PAID' and reference like '%' || $1 || '%'`,
    [id],
  );
  let held = 0;
  for (const { id: session } of payments) {
    const payment = await sandbox.findPayment(`pay_${session}`);
    held += payment ? payment.captured - payment.refunded : 0;
  }
  return { kept: ours?.kept, held };
}

/** All the work there is, whatever time it is: the queue itself would go by the clock of the database. */
export async function runAllJobs(): Promise<void> {
  const take = () =>
    t.db.sql<{ name: string; data: object }>(
      `delete from pgboss.job where state = 'created' returning name, data`,
      [],
    );
  for (let queued = await take(); queued.length > 0; queued = await take())
    for (const { name, data } of queued)
      await allJobs.find((job) => job.name === name)?.run(t.app.services, data);
}

export const isEndedAtProvider = async (page: string) =>
  (await sandbox.findRecurring(page))?.state === 'ENDED';

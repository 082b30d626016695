/** Ended subscriptions: unsubscribing, and deleting the account, close the payment pages; a payment that still arrives is refunded and never renews. */
import { expect, it, vi } from 'vitest';
import { processProviderCancellations } from '../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import { newId } from '../../src/lib/ids.ts';
import { createAccount } from '../support/accounts.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import {
  advanceClock,
  base,
  createSubscriber,
  day,
  isEndedAtProvider,
  loadLedger,
  pay,
  runAllJobs,
  type SubscriptionBody,
  sandbox,
  sessionOf,
  shop,
  t,
} from './renewal-setup.ts';

type Subscriber = Awaited<ReturnType<typeof createSubscriber>>;

const stored = (id: string) =>
  t.db.prisma.subscription.findUniqueOrThrow({
    where: { id },
    select: { status: true, nextPlanId: true, renewalState: true, email: true },
  });

const act = async (page: string, action: 'transfer' | 'settle') => {
  await sandbox.applyAction(page, action);
  await runAllJobs();
};

/** Subscribes an account that has no subscription yet, and leaves the payment page open. */
async function createUnpaidSubscriber(planId = 'monthly') {
  const account = await createAccount(t);
  const subscriber = await createSubscriber('free', account.email);
  await subscriber.unsubscribe();
  const page = sessionOf(await subscriber.subscribe(planId));
  return { account, subscriber, page };
}

async function deleteAccount(account: Awaited<ReturnType<typeof createAccount>>) {
  const { errors } = await t.graphql(
    'mutation ($password: String) { deleteMe(password: $password) { id: deletedId } }',
    { password: account.password },
    { as: account },
  );
  expect(errors).toEqual([]);
}

const endings: [string, (s: Awaited<ReturnType<typeof createUnpaidSubscriber>>) => Promise<void>][] = [
  ['unsubscribing', ({ subscriber }) => subscriber.unsubscribe()],
  [
    'deleting the account',
    async ({ account }) => {
      await deleteAccount(account);
      await runAllJobs();
    },
  ],
];

async function expectNeverBilled({ id }: Subscriber) {
  await processProviderCancellations(t.app.services);
  await runAllJobs();
  await advanceClock(40 * day);
  expect(await stored(id)).toMatchObject({ status: 'UNSUBSCRIBED', nextPlanId: null });
  expect((await stored(id)).renewalState).not.toBe('ACTIVE');
  expect(await loadLedger(id)).toEqual({ recorded: 0, atProvider: 0 });
  expect(await auditFindings(t.app.services)).toEqual([]);
}

it.each(endings)('%s refunds a bank transfer that arrives later', async (_name, end) => {
  const unpaid = await createUnpaidSubscriber();
  await act(unpaid.page, 'transfer');
  await end(unpaid);
  await act(unpaid.page, 'settle');
  await expectNeverBilled(unpaid.subscriber);
});

it.each(endings)('%s closes the open payment page at the provider', async (_name, end) => {
  const unpaid = await createUnpaidSubscriber();
  await end(unpaid);
  expect((await sandbox.find(unpaid.page))?.state).toBe('EXPIRED');
  await expectNeverBilled(unpaid.subscriber);
});

it.each(endings)('%s ends a change of plan whose transfer is in transit', async (_name, end) => {
  const unpaid = await createUnpaidSubscriber('once');
  await pay(unpaid.page);
  const changed = await unpaid.subscriber.post('plan', {
    token: unpaid.subscriber.token,
    planId: 'monthly',
  });
  const page = sessionOf(changed.body);
  await act(page, 'transfer');
  await end(unpaid);
  expect(await stored(unpaid.subscriber.id)).toMatchObject({ nextPlanId: null });
  await act(page, 'settle');
  await processProviderCancellations(t.app.services);
  await advanceClock(40 * day);
  expect(await stored(unpaid.subscriber.id)).toMatchObject({ status: 'UNSUBSCRIBED' });
  // The paid plan "once" is not refunded, the change of plan is.
  expect(await loadLedger(unpaid.subscriber.id)).toEqual({ recorded: 700, atProvider: 700 });
});

it.each(['open', 'transfer'] as const)(
  'deleting the newsletter closes the pages of its subscribers, and ends their renewals (%s)',
  async (state) => {
    const subscriber = await createSubscriber('monthly');
    const changed = await subscriber.post('plan', { token: subscriber.token, planId: 'yearly' });
    const page = sessionOf(changed.body);
    if (state === 'transfer') await act(page, 'transfer');
    const path = `${base}/collections/${subscriber.newsletterId}?force=true`;
    expect((await t.rest('DELETE', path, { as: shop.admin })).status).toBe(200);
    await runAllJobs();
    await processProviderCancellations(t.app.services);
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    if (state === 'open') expect((await sandbox.find(page))?.state).toBe('EXPIRED');
    else await act(page, 'settle');
    await advanceClock(400 * day);
    // The month before the deletion stays paid.
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 500, atProvider: 500 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  },
);

it('the end of a renewal closes the page of a change of plan', async () => {
  const subscriber = await createSubscriber('monthly');
  const page = sessionOf((await subscriber.post('plan', { token: subscriber.token, planId: 'yearly' })).body);
  await act(page, 'transfer');
  await subscriber.applyAction('end-renewal');
  expect(await stored(subscriber.id)).toMatchObject({ status: 'CANCELLED', nextPlanId: null });
  await act(page, 'settle');
  expect(await stored(subscriber.id)).toMatchObject({ status: 'CANCELLED' });
  expect(await loadLedger(subscriber.id)).toEqual({ recorded: 500, atProvider: 500 });
});

it('a repeated request with its Idempotency-Key opens no page for a plan that is paid or has ended', async () => {
  const { account, subscriber } = await createUnpaidSubscriber('once');
  const subscribe = async () =>
    (
      await t.rest<SubscriptionBody>('POST', `${base}/collections/${subscriber.newsletterId}/subscribe`, {
        as: account,
        headers: { 'idempotency-key': subscriber.id },
        body: { email: subscriber.email, planId: 'once' },
      })
    ).body;
  await pay(sessionOf(await subscribe()));
  expect(await subscribe()).toMatchObject({ id: subscriber.id, status: 'ACTIVE' });
  await subscriber.unsubscribe();
  expect(await subscribe()).toMatchObject({ id: subscriber.id, status: 'UNSUBSCRIBED' });
});

it('the erasure job ends a subscription that was changed after the deletion', async () => {
  const subscriber = await createSubscriber('weekly');
  vi.setSystemTime(Date.now() + 60_000);
  await t.db.prisma.erasure.create({
    data: { userId: newId(), contacts: [subscriber.email], goneAt: new Date() },
  });
  vi.setSystemTime(Date.now() + 60_000);
  await subscriber.applyAction('renew');
  await eraseUsersJob.run(t.app.services, {});
  await runAllJobs();
  expect(await stored(subscriber.id)).toMatchObject({ status: 'UNSUBSCRIBED', renewalState: 'ENDED' });
});

it('deleting the account ends a subscription that a renewal changes before the erasure runs', async () => {
  const account = await createAccount(t);
  const subscriber = await createSubscriber('weekly', account.email);
  await deleteAccount(account);
  // The provider bills the next period before the workers run.
  await sandbox.applyRecurringAction(subscriber.page, 'renew');
  await runAllJobs();
  await processProviderCancellations(t.app.services);
  expect(await stored(subscriber.id)).toMatchObject({
    status: 'UNSUBSCRIBED',
    renewalState: 'ENDED',
    email: `${subscriber.id}@erased.invalid`,
  });
  await advanceClock(40 * day);
  expect(await loadLedger(subscriber.id)).toEqual({ recorded: 100, atProvider: 100 });
});

it('a subscription with the same address after the deletion belongs to another account', async () => {
  const account = await createAccount(t);
  const subscriber = await createSubscriber('free', account.email);
  await deleteAccount(account);
  vi.setSystemTime(Date.now() + 1000);
  const again = await subscriber.subscribe('free');
  await runAllJobs();
  expect(again.id).not.toBe(subscriber.id);
  expect([(await stored(again.id)).status, (await stored(subscriber.id)).status]).toEqual([
    'ACTIVE',
    'UNSUBSCRIBED',
  ]);
});

it('a mail token of a deleted account reactivates nothing', async () => {
  const account = await createAccount(t);
  const subscriber = await createSubscriber('free', account.email);
  await deleteAccount(account);
  const { token } = subscriber;
  const answer = await t.rest('POST', `${base}/subscriptions/resubscribe`, { body: { token } });
  expect(answer.status).toBe(422);
  expect(await stored(subscriber.id)).toMatchObject({ status: 'UNSUBSCRIBED' });
});

it('the audit finds an active, a renewing and a payable subscription of a deleted account', async () => {
  const account = await createAccount(t);
  const subscriber = await createSubscriber('once', account.email);
  await deleteAccount(account);
  await runAllJobs();
  expect(await auditFindings(t.app.services)).toEqual([]);
  const set = (changes: string) =>
    t.db.write(`update subscriptions set ${changes} where id = $1`, [subscriber.id]);
  const finding = (problem: string) => [
    `subscription:${subscriber.id}: ${problem} although the account of its subscriber was deleted`,
  ];
  await set(`status = 'ACTIVE'`);
  expect(await auditFindings(t.app.services)).toEqual(finding('is ACTIVE'));
  await set(`renewal_state = 'PAST_DUE'`);
  expect(await auditFindings(t.app.services)).toEqual(finding('renews'));
  await set(`status = 'UNSUBSCRIBED', renewal_state = null`);
  await t.db.write(
    `insert into payment_attempts (id, reference, kind, subject_id, number, amount, currency, state, expires_at, created_at, updated_at)
     values ($1, 'subscription:' || $2 || ':9', 'subscription', $2::uuid, 9, 700, 'USD', 'NEW', 0, 0, 0)`,
    [newId(), subscriber.id],
  );
  expect(await auditFindings(t.app.services)).toEqual(finding('has an open payment page'));
  await t.db.write('delete from payment_attempts where subject_id = $1 and number = 9', [subscriber.id]);
});

it('the audit finds a subscription whose erasure has not run for two hours', async () => {
  const subscriber = await createSubscriber('weekly');
  await t.db.write(
    `insert into erasures (user_id, contacts, gone_at) values ($1, $2, now() - interval '3 hours')`,
    [newId(), [subscriber.email]],
  );
  await t.db.write('update subscriptions set created_at = 0 where id = $1', [subscriber.id]);
  expect(await auditFindings(t.app.services)).toEqual([
    `subscription:${subscriber.id}: renews although the account of its subscriber was deleted`,
  ]);
  await eraseUsersJob.run(t.app.services, {});
  await runAllJobs();
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('the audit finds an ended subscription that renews or can still be paid', async () => {
  const subscriber = await createSubscriber('free');
  await subscriber.unsubscribe();
  await t.db.write(`update subscriptions set renewal_state = 'PAST_DUE' where id = $1`, [subscriber.id]);
  const problem = 'renews although it is UNSUBSCRIBED';
  expect(await auditFindings(t.app.services)).toEqual([`subscription:${subscriber.id}: ${problem}`]);
  await t.db.write('update subscriptions set renewal_state = null where id = $1', [subscriber.id]);
  const page = sessionOf(await subscriber.subscribe('monthly'));
  expect(await auditFindings(t.app.services)).toEqual([]);
  await subscriber.unsubscribe();
  await t.db.write(`update payment_attempts set state = 'OPEN' where session_id = $1`, [page]);
  const payable = 'has an open payment page although it is UNSUBSCRIBED';
  expect(await auditFindings(t.app.services)).toEqual([`subscription:${subscriber.id}: ${payable}`]);
  await t.db.write(`update payment_attempts set state = 'CLOSED' where session_id = $1`, [page]);
});

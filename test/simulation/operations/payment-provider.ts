/** Events outside the gateway: customers on the payment page, duplicated, late and lost provider events, and time. */
import { sandboxPaymentActions } from '../../../src/adapters/payments/sandbox-transitions.ts';
import { expireOrdersJob } from '../../../src/domains/orders/payment/expire-orders.ts';
import { reconcilePayments } from '../../../src/domains/payments/reconcile/reconcile-payments.ts';
import { now } from '../../../src/lib/time.ts';
import type { PaymentEvent } from '../../../src/ports/payments.ts';
import { deliverPaymentEvent } from '../../support/payment-events.ts';
import { assertContract } from '../contract-violation.ts';
import { reconcileAll } from '../reconcile-all.ts';
import { runPendingJobs } from '../run-jobs.ts';
import type { Dice } from '../seeded-random.ts';
import { renewTokens, type World } from '../world.ts';
import type { PlayOperation } from './operation.ts';

export const actOnPaymentPage: PlayOperation = async (world, { dice }) => {
  // Mostly one of the newest pages.
  const page = dice.pick(world.paymentPages.slice(dice.oneOf([-1, -3, -10, 0])));
  if (page === undefined) return;
  const action = dice.chance(0.55) ? 'pay' : dice.oneOf(sandboxPaymentActions);
  const event = await world.ports.sandbox.applyAction(page, action);
  if (event) world.events.push(event);
};

export const payWrongAmount: PlayOperation = async (world, { dice }) => {
  const page = dice.pick(world.paymentPages.slice(-10));
  if (page !== undefined) await captureWrongAmount(world, page, dice);
};

/** The provider captures less or more than requested, or in another currency. */
export async function captureWrongAmount(world: World, page: string, dice: Dice): Promise<void> {
  const change = dice.oneOf([
    `'{amount}', to_jsonb((request->>'amount')::int - 1)`,
    `'{amount}', to_jsonb((request->>'amount')::int * 2)`,
    `'{currency}', '"EUR"'`,
  ]);
  const updatedRows = await world.t.db.write(
    `update sandbox_payments set request = jsonb_set(request, ${change}) where id = $1 and state = 'OPEN' returning 1`,
    [page],
  );
  if (updatedRows.length === 0) return;
  const event = await world.ports.sandbox.applyAction(page, 'pay');
  if (event) world.events.push(event);
}

/** Refunds fail at banks within a month. */
const bankFailureSeconds = 2_600_000;

export const failRefund: PlayOperation = async (world, { dice }) => {
  const rows = await world.t.db.sql<{ id: string; key: string }>(
    `select s.id, key from sandbox_payments s, jsonb_object_keys(s.refunds) key join refunds r on r.id::text = split_part(key, ':', 1)
     where coalesce(r.settled_at, r.created_at) > $1 order by s.created_at, s.reference, key`,
    [now() - bankFailureSeconds],
  );
  const refund = dice.pick(rows.filter(({ key }) => !key.startsWith('failed:')));
  const event = refund && (await world.ports.sandbox.failRefund(refund.id, refund.key));
  if (event) world.events.push(event);
};

/** Delivers any earlier event again. */
export const redeliverEvent: PlayOperation = async (world, { dice }) => {
  const event = dice.pick(dice.chance(0.5) ? world.events.slice(-5) : world.events);
  if (!event) return;
  const expected = (await isEarlyRenewal(world, event)) ? 503 : 200;
  const status = await deliverPaymentEvent(world.t, event);
  assertContract(status === expected, 'status of an event', () => `${status} for ${JSON.stringify(event)}`);
};

/**
 * Whether the event is a renewal that arrives before the initial payment was recorded: the gateway answers 503, so that the provider
 * retries.
 */
async function isEarlyRenewal({ t }: World, { type, recurring, reference }: PaymentEvent): Promise<boolean> {
  if (type !== 'paid' || !recurring?.bill || recurring.bill.isFirst) return false;
  const unpaidAttempts = await t.db.sql(
    `select from payment_attempts where reference = $1 and state in ('NEW', 'OPEN', 'PROCESSING')`,
    [reference],
  );
  return unpaidAttempts.length > 0;
}

/** Deletes all provider events that are not delivered yet. */
export const loseEvents: PlayOperation = async ({ t }) => {
  await t.db.write(`delete from pgboss.job where name = 'payment-event' and state < 'active'`);
};

export const runJobs: PlayOperation = async (world) => {
  await runPendingJobs(world);
};

export const expireOrders: PlayOperation = (world) => expireOrdersJob.run(world.t.app.services, {});

export const reconcile: PlayOperation = (world) => reconcileAll(world);

export const advanceTime: PlayOperation = async (world, { dice }) => {
  const seconds = dice.oneOf([60, 600, 1900, 1900, 3600, 90_000, 2_700_000]);
  world.clock.advance(seconds);
  await renewTokens(world);
  // Simulates the cron jobs of that time: reconciliation covers payments for a limited time only, and no failure lasts a day.
  if (seconds > 86_400) {
    world.ports.failure = undefined;
    await reconcilePayments(world.t.app.services);
  }
  // The clock of the database does not advance, so scheduled rows are made due.
  await world.t.db.write(`update pgboss.job set start_after = now() where state < 'active'`);
  await world.t.db.write(`update newsletter_recipients set free_at = 0 where status = 'WAITING'`);
};

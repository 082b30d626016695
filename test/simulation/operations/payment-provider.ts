/** What happens outside: customers on the payment page, events that come twice, late or never, and time. */
import { sandboxActions } from '../../../src/adapters/payments/sandbox.ts';
import { expireOrdersJob } from '../../../src/domains/orders/payment/expire-orders.ts';
import { reconcilePayments } from '../../../src/domains/payments/reconcile/reconcile-payments.ts';
import { now } from '../../../src/lib/time.ts';
import type { PaymentEvent } from '../../../src/ports/payments.ts';
import { deliverPaymentEvent } from '../../support/payment-events.ts';
import { assertContract } from '../contract-violation.ts';
import type { Dice } from '../seeded-random.ts';
import { reconcileAll } from '../reconcile-all.ts';
import { runPendingJobs } from '../run-jobs.ts';
import { renewTokens, type World } from '../world.ts';
import type { PlayOperation } from './operation.ts';

export const actOnPaymentPage: PlayOperation = async (world, { dice }) => {
  // Mostly whoever has just been sent there.
  const page = dice.pick(world.paymentPages.slice(dice.oneOf([-1, -3, -10, 0])));
  if (page === undefined) return;
  const action = dice.chance(0.55) ? 'pay' : dice.oneOf(sandboxActions);
  const event = await world.ports.sandbox.applyAction(page, action);
  if (event) world.events.push(event);
};

export const payWrongAmount: PlayOperation = async (world, { dice }) => {
  const page = dice.pick(world.paymentPages.slice(-10));
  if (page !== undefined) await captureWrongAmount(world, page, dice);
};

/** The provider takes another sum than it was asked for: less, more, or in other money. */
export async function captureWrongAmount(world: World, page: string, dice: Dice): Promise<void> {
  const other = dice.oneOf([
    `'{amount}', to_jsonb((request->>'amount')::int - 1)`,
    `'{amount}', to_jsonb((request->>'amount')::int * 2)`,
    `'{currency}', '"EUR"'`,
  ]);
  const changed = await world.t.db.sql(
    `update sandbox_payments set request = jsonb_set(request, ${other}) where id = $1 and state = 'OPEN' returning 1`,
    [page],
  );
  if (changed.length === 0) return;
  const event = await world.ports.sandbox.applyAction(page, 'pay');
  if (event) world.events.push(event);
}

/** Banks say so within a month. */
const lateSeconds = 2_600_000;

export const failRefund: PlayOperation = async (world, { dice }) => {
  const rows = await world.t.db.sql<{ id: string; key: string }>(
    `select s.id, key from sandbox_payments s, jsonb_object_keys(s.refunds) key join refunds r on r.id::text = split_part(key, ':', 1)
     where coalesce(r.settled_at, r.created_at) > $1 order by s.created_at, s.reference, key`,
    [now() - lateSeconds],
  );
  const failing = dice.pick(rows.filter(({ key }) => !key.startsWith('failed:')));
  const event = failing && (await world.ports.sandbox.failRefund(failing.id, failing.key));
  if (event) world.events.push(event);
};

/** Any event, as often as one likes, in any order. */
export const redeliverEvent: PlayOperation = async (world, { dice }) => {
  const event = dice.pick(dice.chance(0.5) ? world.events.slice(-5) : world.events);
  if (!event) return;
  const expected = (await isEarly(world, event)) ? 503 : 200;
  const status = await deliverPaymentEvent(world.t, event);
  assertContract(status === expected, 'status of an event', () => `${status} for ${JSON.stringify(event)}`);
};

/** A later bill, while nobody knows yet that the page was paid: it counts once that is known, so the provider has to come back. */
async function isEarly({ t }: World, { type, recurring, reference }: PaymentEvent): Promise<boolean> {
  if (type !== 'paid' || !recurring?.bill || recurring.bill.isFirst) return false;
  const open = await t.db.sql(
    `select from payment_attempts where reference = $1 and state in ('NEW', 'OPEN', 'PROCESSING')`,
    [reference],
  );
  return open.length > 0;
}

/** Nobody will ever tell what is on its way now. */
export const loseEvents: PlayOperation = async ({ t }) => {
  await t.db.sql(`delete from pgboss.job where name = 'payment-event' and state < 'active'`);
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
  // What runs by the clock has run meanwhile, every minute: payments are looked after for a while only, and nobody is down for a day.
  if (seconds > 86_400) {
    world.ports.failure = undefined;
    await reconcilePayments(world.t.app.services);
  }
  // The database has a clock of its own: what waits for it waits no longer.
  await world.t.db.sql(`update pgboss.job set start_after = now() where state < 'active'`);
  await world.t.db.sql(`update newsletter_recipients set free_at = 0 where status = 'WAITING'`);
};

/** Simulated renewals at the payment provider: invoices are paid or fail, and subscriptions are cancelled by the shop or the subscriber. */
import type { Dice } from '../../simulation/seeded-random.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import { createInvoice, listInvoices, payInvoice } from '../../support/stripe-subscriptions.ts';

type StripeObject = Record<string, unknown>;
type EmitEvent = (dice: Dice, type: string, object: StripeObject) => void;

/** Returns a function that performs a random action on a subscription. */
export function simulateRenewals(server: StripeServer, emit: EmitEvent): (dice: Dice) => void {
  const reportedIds = new Set<unknown>();
  const setStatus = (dice: Dice, subscription: StripeObject, status: string) => {
    subscription.status = status;
    emit(dice, 'customer.subscription.updated', subscription);
  };
  const cancel = (subscription: StripeObject) => {
    subscription.status = 'canceled';
  };
  /** Charges the open invoice again, otherwise that of the next period. */
  const charge = (dice: Dice, subscription: StripeObject) => {
    if (subscription.cancel_at_period_end) return cancel(subscription);
    const id = String(subscription.id);
    const invoice =
      listInvoices(server, id).find(({ status }) => status === 'open') ?? createInvoice(server, id, false);
    if (dice.chance(0.3)) {
      emit(dice, 'invoice.payment_failed', invoice);
      setStatus(dice, subscription, 'past_due');
      return;
    }
    payInvoice(invoice);
    emit(dice, 'invoice.paid', invoice);
    if (subscription.status === 'past_due') setStatus(dice, subscription, 'active');
  };
  return (dice) => {
    const all = [...server.subscriptions.values()];
    // Cancellations by the gateway emit an event too.
    for (const subscription of all.filter(
      ({ id, status }) => status === 'canceled' && !reportedIds.has(id),
    )) {
      reportedIds.add(subscription.id);
      emit(dice, 'customer.subscription.deleted', subscription);
    }
    const renewing = dice.pick(all.filter(({ status }) => status === 'active' || status === 'past_due'));
    if (!renewing) return;
    if (dice.chance(0.1)) cancel(renewing);
    else charge(dice, renewing);
  };
}

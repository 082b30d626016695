/** What happens at the provider to what renews: it is billed, cards fail and are mended, the shop or the reader ends it. */
import type { Dice } from '../../simulation/seeded-random.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import { listInvoices, createInvoice, payInvoice } from '../../support/stripe-subscriptions.ts';

type Thing = Record<string, unknown>;
type Tell = (dice: Dice, type: string, object: Thing) => void;

/** Returns something that may happen. */
export function renewalsOf(server: StripeServer, tell: Tell): (dice: Dice) => void {
  const told = new Set<unknown>();
  const statusOf = (dice: Dice, subscription: Thing, status: string) => {
    subscription.status = status;
    tell(dice, 'customer.subscription.updated', subscription);
  };
  const end = (subscription: Thing) => {
    subscription.status = 'canceled';
  };
  /** The bill that is open is tried once more, or else that of the next period. */
  const charge = (dice: Dice, subscription: Thing) => {
    if (subscription.cancel_at_period_end) return end(subscription);
    const id = String(subscription.id);
    const bill = listInvoices(server, id).find(({ status }) => status === 'open') ?? createInvoice(server, id, false);
    if (dice.chance(0.3)) {
      tell(dice, 'invoice.payment_failed', bill);
      statusOf(dice, subscription, 'past_due');
      return;
    }
    payInvoice(bill);
    tell(dice, 'invoice.paid', bill);
    if (subscription.status === 'past_due') statusOf(dice, subscription, 'active');
  };
  return (dice) => {
    const all = [...server.subscriptions.values()];
    // Also what we ended is told as an event.
    for (const subscription of all.filter(({ id, status }) => status === 'canceled' && !told.has(id))) {
      told.add(subscription.id);
      tell(dice, 'customer.subscription.deleted', subscription);
    }
    const billed = dice.pick(all.filter(({ status }) => status === 'active' || status === 'past_due'));
    if (!billed) return;
    if (dice.chance(0.1)) end(billed);
    else charge(dice, billed);
  };
}

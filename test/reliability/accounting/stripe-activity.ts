/** Simulated activity at the payment provider: payments, bank transfers, refunds and renewals. Its webhook events arrive in any order, twice or never. */
import Stripe from 'stripe';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import { createStripeSubscription, invoiceIntentId, payInvoice } from '../../support/stripe-subscriptions.ts';
import { simulateRenewals } from './stripe-renewals.ts';

export const webhookSecret = 'whsec_walk';
const stripe = new Stripe('sk_test_x');

export interface ProviderEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

export interface Provider {
  /** Events that are not delivered yet. */
  events: ProviderEvent[];
  /** Performs a random action; returns false if there is no object to act on. */
  act(dice: Dice): boolean;
  /** Completes or fails all pending transfers and refunds. */
  settle(dice: Dice): void;
}

type StripeObject = Record<string, unknown>;

/**
 * Customers pay only the pages in `pageUrls`, the URLs that clients have received. The gateway stores the id of a session before it returns
 * its URL, so reconciliation finds each of these payments without an event. A session whose response was lost has a URL that no client has.
 */
export function simulateProvider(server: StripeServer, pageUrls: ReadonlySet<string>): Provider {
  const { sessions, refunds, invoices, subscriptions } = server;
  const events: ProviderEvent[] = [];
  const emit = (dice: Dice, type: string, object: StripeObject) => {
    // One event in five is never delivered, one in five twice.
    const times = dice.chance(0.2) ? 0 : dice.chance(0.25) ? 2 : 1;
    const event = { id: `evt_${newId()}`, type, object: structuredClone(object) };
    for (let count = 0; count < times; count += 1) events.push(event);
  };
  const select = (objects: Map<string, StripeObject>, matches: (object: StripeObject) => boolean) =>
    [...objects.values()].filter(matches);

  const pay = (dice: Dice): boolean => {
    const isPayable = ({ status, url }: StripeObject) => status === 'open' && pageUrls.has(String(url));
    const page = dice.pick(select(sessions, isPayable).slice(-20));
    if (!page) return false;
    const byTransfer = dice.chance(0.25);
    const payment = { payment_intent: `pi_${page.id}`, payment_status: byTransfer ? 'unpaid' : 'paid' };
    Object.assign(page, { status: 'complete', ...payment });
    if (page.mode === 'subscription') createStripeSubscription(server, page, !byTransfer);
    emit(dice, 'checkout.session.completed', page);
    return true;
  };
  const completeTransfer = (dice: Dice, page: StripeObject) => {
    const fails = dice.chance(0.3);
    if (page.mode === 'subscription') completeFirstInvoice(page, fails);
    // A failed payment intent does not succeed later.
    else if (fails) page.payment_intent = { id: page.payment_intent, status: 'canceled' };
    if (!fails) page.payment_status = 'paid';
    page.isOver = true;
    const payment_intent = page.mode === 'subscription' ? null : `pi_${page.id}`;
    emit(dice, `checkout.session.async_payment_${fails ? 'failed' : 'succeeded'}`, {
      ...page,
      payment_intent,
    });
  };
  const completeFirstInvoice = (page: StripeObject, fails: boolean) => {
    const invoice = invoices.get(String(page.invoice)) ?? {};
    const subscription = subscriptions.get(String(page.subscription)) ?? {};
    if (fails) invoice.intentStatus = 'requires_payment_method';
    else payInvoice(invoice);
    if (subscription.status === 'incomplete') subscription.status = fails ? 'incomplete_expired' : 'active';
  };
  const completeRefund = (dice: Dice, refund: StripeObject) => {
    refund.status = dice.chance(0.2) ? 'failed' : 'succeeded';
    // Stripe reports a failure in several events.
    const types =
      refund.status === 'failed' ? ['refund.failed', 'charge.refund.updated'] : ['refund.updated'];
    for (const type of types) emit(dice, type, refund);
  };
  /** All payments: of checkout sessions, and of invoices, whose charges have no reference. */
  const payments = () => [
    ...select(sessions, ({ payment_status, mode }) => payment_status === 'paid' && mode === 'payment').map(
      ({ payment_intent, amount_total, client_reference_id: reference }) => ({
        payment_intent,
        amount: Number(amount_total),
        metadata: { reference },
      }),
    ),
    ...select(invoices, ({ status }) => status === 'paid').map((invoice) => ({
      payment_intent: invoiceIntentId(invoice),
      amount: Number(invoice.amount_paid),
      metadata: {},
    })),
  ];
  const refundInDashboard = (dice: Dice): boolean => {
    const paid = dice.pick(payments());
    if (!paid) return false;
    const { payment_intent, metadata } = paid;
    const refundedAmount = () =>
      select(
        refunds,
        (refund) => refund.payment_intent === payment_intent && refund.status !== 'failed',
      ).reduce((sum, { amount }) => sum + Number(amount), 0);
    const amount = Math.min(dice.chance(0.7) ? 100 : paid.amount, paid.amount - refundedAmount());
    if (amount <= 0) return false;
    const id = `re_dashboard_${newId()}`;
    refunds.set(id, { id, object: 'refund', payment_intent, amount, status: 'succeeded' });
    emit(dice, 'charge.refunded', {
      object: 'charge',
      payment_intent,
      amount_refunded: refundedAmount(),
      currency: 'usd',
      metadata,
    });
    return true;
  };
  const renew = simulateRenewals(server, emit);
  const pending = {
    transfers: () =>
      select(
        sessions,
        (page) => page.status === 'complete' && page.payment_status === 'unpaid' && !page.isOver,
      ),
    refunds: () => select(refunds, ({ status }) => status === 'pending'),
  };
  return {
    events,
    act(dice) {
      if (dice.chance(0.5)) return pay(dice);
      renew(dice);
      const transfer = dice.pick(pending.transfers());
      if (transfer && dice.chance(0.5)) completeTransfer(dice, transfer);
      const refund = dice.pick(
        dice.chance(0.8) ? pending.refunds() : select(refunds, ({ status }) => status === 'succeeded'),
      );
      if (refund && dice.chance(0.7)) completeRefund(dice, refund);
      return dice.chance(0.15) && refundInDashboard(dice);
    },
    settle(dice) {
      for (const transfer of pending.transfers()) completeTransfer(dice, transfer);
      for (const refund of pending.refunds()) completeRefund(dice, refund);
    },
  };
}

export async function signEvent({ id, type, object }: ProviderEvent) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret });
  return { body: payload, headers: { 'stripe-signature': signature } };
}

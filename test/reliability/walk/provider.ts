/** What happens at the provider while shops are busy: people pay, transfers fail, refunds come back. Its events come in any order, twice or never. */
import Stripe from 'stripe';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import { createStripeSubscription, invoiceIntentId, payInvoice } from '../../support/stripe-subscriptions.ts';
import { renewalsOf } from './renewals.ts';

export const webhookSecret = 'whsec_walk';
const stripe = new Stripe('sk_test_x');

export interface ProviderEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

export interface Provider {
  /** What has happened and was not told yet. */
  events: ProviderEvent[];
  /** Something happens. False when there is nothing it could happen to. */
  act(dice: Dice): boolean;
  /** Transfers and refunds that are on their way arrive, or do not. */
  settle(dice: Dice): void;
}

type Thing = Record<string, unknown>;

export function providerOf(server: StripeServer): Provider {
  const { sessions, refunds, invoices, subscriptions } = server;
  const events: ProviderEvent[] = [];
  const tell = (dice: Dice, type: string, object: Thing) => {
    // One in five is never told, one in five twice.
    const times = dice.chance(0.2) ? 0 : dice.chance(0.25) ? 2 : 1;
    const event = { id: `evt_${newId()}`, type, object: structuredClone(object) };
    for (let count = 0; count < times; count += 1) events.push(event);
  };
  const of = (items: Map<string, Thing>, fits: (item: Thing) => boolean) => [...items.values()].filter(fits);

  const pay = (dice: Dice): boolean => {
    const page = dice.pick(of(sessions, ({ status }) => status === 'open').slice(-20));
    if (!page) return false;
    const byTransfer = dice.chance(0.25);
    const payment = { payment_intent: `pi_${page.id}`, payment_status: byTransfer ? 'unpaid' : 'paid' };
    Object.assign(page, { status: 'complete', ...payment });
    if (page.mode === 'subscription') createStripeSubscription(server, page, !byTransfer);
    tell(dice, 'checkout.session.completed', page);
    return true;
  };
  const arrive = (dice: Dice, page: Thing) => {
    const fails = dice.chance(0.3);
    if (page.mode === 'subscription') firstBillArrives(page, fails);
    // What failed does not arrive later.
    else if (fails) page.payment_intent = { id: page.payment_intent, status: 'canceled' };
    if (!fails) page.payment_status = 'paid';
    page.isOver = true;
    const payment_intent = page.mode === 'subscription' ? null : `pi_${page.id}`;
    tell(dice, `checkout.session.async_payment_${fails ? 'failed' : 'succeeded'}`, {
      ...page,
      payment_intent,
    });
  };
  const firstBillArrives = (page: Thing, fails: boolean) => {
    const bill = invoices.get(String(page.invoice)) ?? {};
    const subscription = subscriptions.get(String(page.subscription)) ?? {};
    if (fails) bill.intentStatus = 'requires_payment_method';
    else payInvoice(bill);
    if (subscription.status === 'incomplete') subscription.status = fails ? 'incomplete_expired' : 'active';
  };
  const answer = (dice: Dice, refund: Thing) => {
    refund.status = dice.chance(0.2) ? 'failed' : 'succeeded';
    tell(dice, refund.status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  };
  /** Everything that was paid: by pages, and by bills, whose charges do not say what they are for. */
  const payments = () => [
    ...of(sessions, ({ payment_status, mode }) => payment_status === 'paid' && mode === 'payment').map(
      ({ payment_intent, amount_total, client_reference_id: reference }) => ({
        payment_intent,
        amount: Number(amount_total),
        metadata: { reference },
      }),
    ),
    ...of(invoices, ({ status }) => status === 'paid').map((bill) => ({
      payment_intent: invoiceIntentId(bill),
      amount: Number(bill.amount_paid),
      metadata: {},
    })),
  ];
  const atTheDesk = (dice: Dice): boolean => {
    const paid = dice.pick(payments());
    if (!paid) return false;
    const { payment_intent, metadata } = paid;
    const back = () =>
      of(refunds, (refund) => refund.payment_intent === payment_intent && refund.status !== 'failed').reduce(
        (sum, { amount }) => sum + Number(amount),
        0,
      );
    const amount = Math.min(dice.chance(0.7) ? 100 : paid.amount, paid.amount - back());
    if (amount <= 0) return false;
    const id = `re_desk_${newId()}`;
    refunds.set(id, { id, object: 'refund', payment_intent, amount, status: 'succeeded' });
    tell(dice, 'charge.refunded', {
      object: 'charge',
      payment_intent,
      amount_refunded: back(),
      currency: 'usd',
      metadata,
    });
    return true;
  };
  const renew = renewalsOf(server, tell);
  const waiting = {
    transfers: () =>
      of(sessions, (page) => page.status === 'complete' && page.payment_status === 'unpaid' && !page.isOver),
    refunds: () => of(refunds, ({ status }) => status === 'pending'),
  };
  return {
    events,
    act(dice) {
      if (dice.chance(0.5)) return pay(dice);
      renew(dice);
      const transfer = dice.pick(waiting.transfers());
      if (transfer && dice.chance(0.5)) arrive(dice, transfer);
      const refund = dice.pick(
        dice.chance(0.8) ? waiting.refunds() : of(refunds, ({ status }) => status === 'succeeded'),
      );
      if (refund && dice.chance(0.7)) answer(dice, refund);
      return dice.chance(0.15) && atTheDesk(dice);
    },
    settle(dice) {
      for (const transfer of waiting.transfers()) arrive(dice, transfer);
      for (const refund of waiting.refunds()) answer(dice, refund);
    },
  };
}

export async function signed({ id, type, object }: ProviderEvent) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: webhookSecret });
  return { body: payload, headers: { 'stripe-signature': signature } };
}

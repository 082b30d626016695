/** What happens at the provider while shops are busy: people pay, transfers fail, refunds come back. Its events come in any order, twice or never. */
import Stripe from 'stripe';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/random.ts';
import type { StripeServer } from '../../support/stripe-server.ts';

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

export function providerOf({ sessions, refunds }: StripeServer): Provider {
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
    tell(dice, 'checkout.session.completed', page);
    return true;
  };
  const arrive = (dice: Dice, page: Thing) => {
    const fails = dice.chance(0.3);
    if (!fails) page.payment_status = 'paid';
    // What failed does not arrive later.
    else page.payment_intent = { id: page.payment_intent, object: 'payment_intent', status: 'canceled' };
    const told = { ...page, payment_intent: `pi_${page.id}` };
    tell(dice, `checkout.session.async_payment_${fails ? 'failed' : 'succeeded'}`, told);
  };
  const answer = (dice: Dice, refund: Thing) => {
    refund.status = dice.chance(0.2) ? 'failed' : 'succeeded';
    tell(dice, refund.status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  };
  const atTheDesk = (dice: Dice): boolean => {
    const page = dice.pick(of(sessions, ({ payment_status }) => payment_status === 'paid'));
    const payment = page?.payment_intent as string | undefined;
    if (!page || !payment) return false;
    const back = () =>
      of(refunds, ({ payment_intent, status }) => payment_intent === payment && status !== 'failed').reduce(
        (sum, { amount }) => sum + Number(amount),
        0,
      );
    const amount = Math.min(100, Number(page.amount_total) - back());
    if (amount <= 0) return false;
    const id = `re_desk_${newId()}`;
    refunds.set(id, { id, object: 'refund', payment_intent: payment, amount, status: 'succeeded' });
    tell(dice, 'charge.refunded', {
      object: 'charge',
      payment_intent: payment,
      amount_refunded: back(),
      currency: 'usd',
      metadata: { reference: page.client_reference_id },
    });
    return true;
  };
  const waiting = {
    transfers: () =>
      of(sessions, (page) => page.status === 'complete' && page.payment_status === 'unpaid').filter(
        ({ payment_intent }) => typeof payment_intent === 'string',
      ),
    refunds: () => of(refunds, ({ status }) => status === 'pending'),
  };
  return {
    events,
    act(dice) {
      if (dice.chance(0.6)) return pay(dice);
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

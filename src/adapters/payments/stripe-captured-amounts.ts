/** Captured and refunded amounts of a Stripe payment. Lost disputes count as refunded. */
import type Stripe from 'stripe';
import { stripeToMinorUnits } from './convert-stripe-amounts.ts';

interface StripeCapturedAmounts {
  captured: number;
  refunded: number;
}

/** Undefined when there was no charge. */
export async function loadStripeCapturedAmounts(
  stripe: Stripe,
  payment: Stripe.PaymentIntent,
): Promise<StripeCapturedAmounts | undefined> {
  const { id, amount_received, currency, latest_charge: charge } = payment;
  if (!charge || typeof charge === 'string') return undefined;
  const lostAmount = charge.disputed ? await sumLostDisputes(stripe, id) : 0;
  return {
    captured: stripeToMinorUnits(amount_received, currency),
    refunded: stripeToMinorUnits(charge.amount_refunded + lostAmount, currency),
  };
}

async function sumLostDisputes(stripe: Stripe, paymentId: string): Promise<number> {
  let sum = 0;
  for await (const { status, amount } of stripe.disputes.list({ payment_intent: paymentId, limit: 100 }))
    if (status === 'lost') sum += amount;
  return sum;
}

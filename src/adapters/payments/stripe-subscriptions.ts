/** Stripe subscriptions. Webhook events only name the object: its current state is retrieved from Stripe, so that the order of events does not matter. */
import Stripe from 'stripe';
import type { BillingInterval } from '../../lib/commerce/billing-intervals.ts';
import { type PaymentEvent, PaymentRejectedError, type ProviderSubscription } from '../../ports/payments.ts';
import { stripeToMinorUnits } from './convert-stripe-amounts.ts';
import { hasStripePaymentFailed } from './stripe-mapping.ts';

export const stripeIntervalByBillingInterval = {
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
} as const satisfies Record<BillingInterval, string>;

/** Invoices that are retrieved per subscription; covers the longest plausible outage. */
const maxInvoices = 20;
const withPayments = { expand: ['payments'] };

/** Undefined for events that do not concern a subscription. */
export async function convertStripeSubscriptionEvent(
  stripe: Stripe,
  event: Stripe.Event,
): Promise<PaymentEvent | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const { invoice, payment_status } = event.data.object;
      const id = idOf(invoice);
      if (id === undefined || payment_status === 'unpaid') return undefined;
      return invoiceEvent(event.id, await stripe.invoices.retrieve(id, withPayments));
    }
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const { id = '', parent } = event.data.object;
      if (!parent?.subscription_details) return undefined;
      return invoiceEvent(event.id, await stripe.invoices.retrieve(id, withPayments));
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const { id, metadata } = event.data.object;
      return statusEvent(event.id, await statusOf(stripe, id), metadata.reference);
    }
    default:
      return undefined;
  }
}

/** Payment of the first invoice of a paid checkout session; undefined when the session is not a subscription or not paid. */
export async function loadFirstStripeInvoicePayment(stripe: Stripe, session: Stripe.Checkout.Session) {
  const id = idOf(session.invoice);
  if (id === undefined) return undefined;
  const { type, paymentId, amount, currency, recurring } =
    invoiceEvent(id, await stripe.invoices.retrieve(id, withPayments)) ?? {};
  return type === 'paid' ? { state: type, paymentId, amount, currency, recurring } : undefined;
}

/** Whether the pending payment of a completed checkout session has failed permanently. */
export async function hasFirstStripeInvoiceFailed(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
): Promise<boolean> {
  const id = idOf(session.invoice);
  if (id === undefined) return false;
  const { status, payments } = await stripe.invoices.retrieve(id, withPayments);
  if (status === 'void' || status === 'uncollectible') return true;
  const payment = idOf(payments?.data.at(-1)?.payment.payment_intent);
  return (
    payment !== undefined && hasStripePaymentFailed((await stripe.paymentIntents.retrieve(payment)).status)
  );
}

export async function loadStripeSubscriptionEvents(stripe: Stripe, id: string): Promise<PaymentEvent[]> {
  const status = await statusOf(stripe, id);
  const { data } = await stripe.invoices.list({
    subscription: id,
    limit: maxInvoices,
    expand: ['data.payments'],
  });
  const invoiceEvents = data.reverse().flatMap((invoice) => invoiceEvent(`ask_${invoice.id}`, invoice) ?? []);
  return [...invoiceEvents, statusEvent(`ask_${id}`, status, invoiceEvents[0]?.reference)];
}

export async function setStripeCancelAtPeriodEnd(stripe: Stripe, id: string, cancel: boolean): Promise<void> {
  try {
    await stripe.subscriptions.update(id, { cancel_at_period_end: cancel });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new PaymentRejectedError(error.message, { cause: error });
    throw error;
  }
}

export async function endStripeSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    // The subscription has ended or does not exist.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** Undefined for invoices without a subscription, and for those without a payment attempt. */
function invoiceEvent(id: string, invoice: Stripe.Invoice): PaymentEvent | undefined {
  const details = invoice.parent?.subscription_details;
  const period = invoice.lines.data[0]?.period;
  const recurringId = idOf(details?.subscription);
  const isPaid = invoice.status === 'paid';
  if (!details || !period || recurringId === undefined || !(isPaid || invoice.attempt_count > 0))
    return undefined;
  const paidPayment = invoice.payments?.data.find(({ status }) => status === 'paid');
  const currency = invoice.currency.toUpperCase();
  return {
    id,
    type: isPaid ? 'paid' : 'failed',
    reference: details.metadata?.reference,
    // An invoice that was paid without a payment, by credit for example, has no payment id; the invoice id is used instead.
    paymentId: idOf(paidPayment?.payment.payment_intent) ?? (isPaid ? invoice.id : undefined),
    amount: stripeToMinorUnits(isPaid ? invoice.amount_paid : invoice.amount_due, currency),
    currency,
    recurring: {
      id: recurringId,
      bill: {
        id: invoice.id ?? id,
        isFirst: invoice.billing_reason === 'subscription_create',
        periodStart: period.start,
        periodEnd: period.end,
      },
    },
  };
}

async function statusOf(stripe: Stripe, id: string): Promise<ProviderSubscription> {
  try {
    const { status, cancel_at_period_end } = await stripe.subscriptions.retrieve(id);
    return { id, status: statuses[status] ?? 'past_due', cancelAtPeriodEnd: cancel_at_period_end };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return { id, status: 'ended' };
    throw error;
  }
}

const statuses: Readonly<Record<string, ProviderSubscription['status']>> = {
  active: 'active',
  trialing: 'active',
  canceled: 'ended',
  incomplete_expired: 'ended',
};

const statusEvent = (
  id: string,
  recurring: ProviderSubscription,
  reference: string | undefined,
): PaymentEvent => ({ id, type: 'recurring', reference, recurring });

const idOf = (value: string | { id?: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

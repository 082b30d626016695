/** Subscriptions and invoices of the Stripe emulator. Tests create them when a session is paid, and bill later periods. */
import { now } from '../../src/lib/time.ts';
import type { StripeServer } from './stripe-server.ts';

type StripeObject = Record<string, unknown>;
type SubscriptionStore = Pick<StripeServer, 'subscriptions' | 'invoices'>;

const month = 30 * 86_400;

export const invoiceSubscriptionId = ({ parent }: StripeObject): string =>
  (parent as { subscription_details: { subscription: string } }).subscription_details.subscription;

export const listInvoices = ({ invoices }: SubscriptionStore, subscription: string): StripeObject[] =>
  [...invoices.values()].filter((invoice) => invoiceSubscriptionId(invoice) === subscription);

/** Payment intent of an invoice, in any status. */
export const invoiceIntentId = ({ payments }: StripeObject): string | undefined =>
  (payments as { data: { payment: { payment_intent: string } }[] }).data[0]?.payment.payment_intent;

/** Creates the subscription and first invoice of a completed session in subscription mode. */
export function createStripeSubscription(
  server: SubscriptionStore,
  session: StripeObject,
  isPaid: boolean,
): void {
  const id = `sub_${session.id}`;
  server.subscriptions.set(id, {
    id,
    object: 'subscription',
    status: isPaid ? 'active' : 'incomplete',
    cancel_at_period_end: false,
    metadata: { reference: session.client_reference_id },
    terms: { amount: session.amount_total, currency: session.currency },
  });
  Object.assign(session, { subscription: id, payment_intent: null });
  session.invoice = createInvoice(server, id, isPaid).id;
}

/** Creates the invoice of the next period. */
export function createInvoice(
  server: SubscriptionStore,
  subscription: string,
  isPaid: boolean,
): StripeObject {
  const { metadata, terms } = server.subscriptions.get(subscription) ?? {};
  const { amount, currency } = terms as { amount: number; currency: string };
  const number = listInvoices(server, subscription).length + 1;
  const id = `in_${subscription}_${number}`;
  const start = now() + (number - 1) * month;
  const invoice: StripeObject = {
    id,
    object: 'invoice',
    status: 'open',
    attempt_count: 1,
    billing_reason: number === 1 ? 'subscription_create' : 'subscription_cycle',
    currency,
    amount_due: amount,
    amount_paid: 0,
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata } },
    lines: { object: 'list', data: [{ period: { start, end: start + month } }] },
    payments: {
      object: 'list',
      data: [{ status: 'open', payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }],
    },
  };
  server.invoices.set(id, invoice);
  if (isPaid) payInvoice(invoice);
  return invoice;
}

export function payInvoice(invoice: StripeObject): void {
  const { payment } = (invoice.payments as { data: { payment: StripeObject }[] }).data[0] ?? {};
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    payments: { object: 'list', data: [{ status: 'paid', payment }] },
  });
}

/** Response to a request on subscriptions or invoices; undefined for other requests. */
export function subscriptionResponse(
  server: SubscriptionStore,
  method: string,
  url: string,
  form: Readonly<Record<string, string>>,
): unknown {
  const { pathname, searchParams } = new URL(url, 'http://stripe.test');
  if (pathname === '/v1/invoices')
    return {
      object: 'list',
      data: listInvoices(server, searchParams.get('subscription') ?? '').reverse(),
      has_more: false,
    };
  const invoice = server.invoices.get(pathname.replace('/v1/invoices/', ''));
  if (invoice) return invoice;
  const subscription = server.subscriptions.get(pathname.replace('/v1/subscriptions/', ''));
  // A canceled subscription is read-only.
  if (subscription?.status === 'canceled' && method !== 'GET') return undefined;
  if (subscription && method === 'DELETE') subscription.status = 'canceled';
  if (subscription && form.cancel_at_period_end !== undefined)
    subscription.cancel_at_period_end = form.cancel_at_period_end === 'true';
  return subscription;
}

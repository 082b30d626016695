/** Subscriptions of the Stripe server: they begin with a page that is paid, and are billed by whoever lets time pass. */
import { now } from '../../src/lib/time.ts';
import type { StripeServer } from './stripe-server.ts';

type Thing = Record<string, unknown>;
type Books = Pick<StripeServer, 'subscriptions' | 'invoices'>;

const month = 30 * 86_400;

export const invoiceSubscriptionId = ({ parent }: Thing): string =>
  (parent as { subscription_details: { subscription: string } }).subscription_details.subscription;

export const listInvoices = ({ invoices }: Books, subscription: string): Thing[] =>
  [...invoices.values()].filter((invoice) => invoiceSubscriptionId(invoice) === subscription);

/** The payment of a bill, whatever came of it. */
export const invoiceIntentId = ({ payments }: Thing): string | undefined =>
  (payments as { data: { payment: { payment_intent: string } }[] }).data[0]?.payment.payment_intent;

/** What Stripe makes of a page in subscription mode that was completed. */
export function createStripeSubscription(server: Books, page: Thing, isPaid: boolean): void {
  const id = `sub_${page.id}`;
  server.subscriptions.set(id, {
    id,
    object: 'subscription',
    status: isPaid ? 'active' : 'incomplete',
    cancel_at_period_end: false,
    metadata: { reference: page.client_reference_id },
    asks: { amount: page.amount_total, currency: page.currency },
  });
  Object.assign(page, { subscription: id, payment_intent: null });
  page.invoice = createInvoice(server, id, isPaid).id;
}

/** The bill of the next period. */
export function createInvoice(server: Books, subscription: string, isPaid: boolean): Thing {
  const { metadata, asks } = server.subscriptions.get(subscription) ?? {};
  const { amount, currency } = asks as { amount: number; currency: string };
  const number = listInvoices(server, subscription).length + 1;
  const id = `in_${subscription}_${number}`;
  const start = now() + (number - 1) * month;
  const invoice: Thing = {
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

export function payInvoice(invoice: Thing): void {
  const { payment } = (invoice.payments as { data: { payment: Thing }[] }).data[0] ?? {};
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    payments: { object: 'list', data: [{ status: 'paid', payment }] },
  });
}

/** What Stripe says about subscriptions and invoices. */
export function subscriptionResponse(
  server: Books,
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
  // What has ended can be looked at, and nothing else.
  if (subscription?.status === 'canceled' && method !== 'GET') return undefined;
  if (subscription && method === 'DELETE') subscription.status = 'canceled';
  if (subscription && form.cancel_at_period_end !== undefined)
    subscription.cancel_at_period_end = form.cancel_at_period_end === 'true';
  return subscription;
}

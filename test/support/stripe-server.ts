/** A loopback server that speaks the few Stripe endpoints we use, and remembers what it was told. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface StripeCall {
  path: string;
  key: string | undefined;
  authorization: string | undefined;
  form: Record<string, string>;
}

export interface StripeServer {
  url: string;
  calls: StripeCall[];
  /** Answers the next calls with this status instead. */
  failWith: number | undefined;
  /** Refuses the next calls for good, with these words. */
  refuseWith: string | undefined;
  /** Asked at every call. `down`: nothing is done. `lost`: it is done, and the answer does not arrive. */
  trouble: (() => 'down' | 'lost' | undefined) | undefined;
  /** The pages and refunds it has made, by id: change them to let something happen there. */
  sessions: Map<string, Record<string, unknown>>;
  refunds: Map<string, Record<string, unknown>>;
  /** Subscriptions and their invoices, by id; a test makes them when a page is paid. */
  subscriptions: Map<string, Record<string, unknown>>;
  invoices: Map<string, Record<string, unknown>>;
  /** What new refunds begin as. */
  refundStatus: 'succeeded' | 'pending';
}

const halfAnHour = 30 * 60;

export async function stripeServer(): Promise<StripeServer> {
  const state: StripeServer = {
    url: '',
    calls: [],
    failWith: undefined,
    refuseWith: undefined,
    trouble: undefined,
    sessions: new Map(),
    refunds: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    refundStatus: 'succeeded',
  };
  const answers = new Map<string, { form: string; body: unknown }>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const form = Object.fromEntries(new URLSearchParams(text));
      const key = req.headers['idempotency-key'] as string | undefined;
      const path = req.url ?? '';
      const isDeletion = req.method === 'DELETE';
      state.calls.push({
        path: isDeletion ? `DELETE ${path}` : path,
        key,
        authorization: req.headers.authorization,
        form,
      });
      const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
        res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers });
        res.end(JSON.stringify(body));
      };
      const trouble = state.trouble?.();
      const broken = () =>
        answer(500, { error: { type: 'api_error', message: 'Lost.' } }, { 'stripe-should-retry': 'false' });
      if (trouble === 'down') return broken();
      const send = trouble === 'lost' ? broken : answer;
      const refuse = (status: number, type: string, message: string) =>
        send(status, { error: { type, message } });
      if (state.failWith) return refuse(state.failWith, 'api_error', 'Something broke at Stripe.');
      if (state.refuseWith) return refuse(400, 'invalid_request_error', state.refuseWith);
      const known = key === undefined ? undefined : answers.get(key);
      if (known && known.form !== text) {
        return refuse(400, 'idempotency_error', 'Keys can only be used with the same parameters.');
      }
      if (known) return send(200, known.body);
      const seconds = Number(form.expires_at) - Date.now() / 1000;
      if (path === '/v1/checkout/sessions' && seconds < halfAnHour) {
        return refuse(400, 'invalid_request_error', 'expires_at must be at least 30 minutes from now.');
      }
      const body =
        recurringAnswer(state, req.method ?? '', path, form) ?? answerTo(state, path, form, answers.size + 1);
      if (!body) return refuse(404, 'invalid_request_error', 'Unknown.');
      if (key !== undefined) answers.set(key, { form: text, body });
      send(200, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** What Stripe says about subscriptions and invoices. */
function recurringAnswer(
  { subscriptions, invoices }: StripeServer,
  method: string,
  url: string,
  form: Readonly<Record<string, string>>,
): unknown {
  const { pathname, searchParams } = new URL(url, 'http://stripe.test');
  if (pathname === '/v1/invoices') {
    const wanted = searchParams.get('subscription');
    const data = [...invoices.values()].filter(
      ({ parent }) =>
        (parent as { subscription_details: { subscription: string } }).subscription_details.subscription ===
        wanted,
    );
    return { object: 'list', data: data.reverse(), has_more: false };
  }
  const invoice = invoices.get(pathname.replace('/v1/invoices/', ''));
  if (invoice) return invoice;
  const subscription = subscriptions.get(pathname.replace('/v1/subscriptions/', ''));
  if (subscription && method === 'DELETE') subscription.status = 'canceled';
  if (subscription && form.cancel_at_period_end !== undefined)
    subscription.cancel_at_period_end = form.cancel_at_period_end === 'true';
  return subscription;
}

function answerTo(
  { sessions, refunds, refundStatus }: StripeServer,
  url: string,
  form: Record<string, string>,
  number: number,
): unknown {
  const path = url.split('?')[0] ?? '';
  if (path === '/v1/checkout/sessions') {
    const id = `cs_test_${number}`;
    const made = { id, object: 'checkout.session', url: `https://checkout.stripe.test/c/${id}` };
    const { client_reference_id, mode } = form;
    const open = { status: 'open', payment_status: 'unpaid', client_reference_id, mode };
    sessions.set(id, { ...made, ...open, ...totalOf(form) });
    return made;
  }
  const [, sessionId = '', isExpiry] =
    /^\/v1\/checkout\/sessions\/(cs_test_\d+)(\/expire)?$/.exec(path) ?? [];
  const session = sessions.get(sessionId);
  if (session && isExpiry) {
    if (session.status !== 'open') return undefined;
    session.status = 'expired';
  }
  if (session) return session;
  if (path === '/v1/refunds') {
    const id = `re_${number}`;
    const { payment_intent, amount, 'metadata[refund]': refund } = form;
    const facts = { payment_intent, amount: Number(amount), metadata: { refund } };
    const payment = intentOf(payment_intent ?? '', [...sessions.values()], [...refunds.values()]);
    // Nothing beyond what was paid goes back.
    const most = payment && Number(payment.amount_received) - payment.latest_charge.amount_refunded;
    if (most !== undefined && facts.amount > most) return undefined;
    const made = { id, object: 'refund', ...facts, status: refundStatus };
    refunds.set(id, made);
    return made;
  }
  const [, intent] = /^\/v1\/payment_intents\/(\w+)$/.exec(path) ?? [];
  if (intent !== undefined) return intentOf(intent, [...sessions.values()], [...refunds.values()]);
  return refunds.get(path.replace('/v1/refunds/', ''));
}

/** What a page asks for, in the smallest unit of its currency. */
function totalOf(form: Readonly<Record<string, string>>) {
  let amount = 0;
  for (let line = 0; `line_items[${line}][quantity]` in form; line += 1) {
    const price = Number(form[`line_items[${line}][price_data][unit_amount]`]);
    amount += price * Number(form[`line_items[${line}][quantity]`]);
  }
  return { amount_total: amount, currency: form['line_items[0][price_data][currency]'] ?? null };
}

/** The payment of a page that was paid: whoever lets that happen gives the page its `payment_intent`. */
function intentOf(
  id: string,
  sessions: readonly Record<string, unknown>[],
  refunds: readonly Record<string, unknown>[],
) {
  const page = sessions.find((session) => session.payment_intent === id);
  if (!page) return undefined;
  const back = refunds.filter((refund) => refund.payment_intent === id && refund.status !== 'failed');
  const amount_refunded = back.reduce((sum, refund) => sum + Number(refund.amount), 0);
  const latest_charge = { id: `ch_${id}`, object: 'charge', amount_refunded };
  const { amount_total: amount_received, currency } = page;
  return { id, object: 'payment_intent', amount_received, currency, latest_charge };
}

/** A loopback server that speaks the few Stripe endpoints we use, and remembers what it was told. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { invoiceIntentId, subscriptionResponse } from './stripe-subscriptions.ts';

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
  rejectWith: string | undefined;
  /** Asked at every call. `down`: nothing is done. `lost`: it is done, and the answer does not arrive. */
  failure: (() => 'down' | 'lost' | undefined) | undefined;
  /** The pages and refunds it has made, by id: change them to let something happen there. */
  sessions: Map<string, Record<string, unknown>>;
  refunds: Map<string, Record<string, unknown>>;
  /** Subscriptions and their invoices, by id; a test makes them when a page is paid. */
  subscriptions: Map<string, Record<string, unknown>>;
  invoices: Map<string, Record<string, unknown>>;
  /** What banks decide or have decided, of any payment. */
  disputes: Record<string, unknown>[];
  /** What new refunds begin as. */
  refundStatus: 'succeeded' | 'pending';
}

const halfAnHour = 30 * 60;
/** How long Stripe remembers keys, in milliseconds. */
const day = 86_400_000;

export async function startStripeServer(): Promise<StripeServer> {
  const state: StripeServer = {
    url: '',
    calls: [],
    failWith: undefined,
    rejectWith: undefined,
    failure: undefined,
    sessions: new Map(),
    refunds: new Map(),
    disputes: [],
    subscriptions: new Map(),
    invoices: new Map(),
    refundStatus: 'succeeded',
  };
  const answers = new Map<string, { form: string; body: unknown; at: number }>();
  let made = 0;
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
      const trouble = state.failure?.();
      const broken = () =>
        answer(500, { error: { type: 'api_error', message: 'Lost.' } }, { 'stripe-should-retry': 'false' });
      if (trouble === 'down') return broken();
      const send = trouble === 'lost' ? broken : answer;
      const refuse = (status: number, type: string, message: string) =>
        send(status, { error: { type, message } });
      if (state.failWith) return refuse(state.failWith, 'api_error', 'Something broke at Stripe.');
      if (state.rejectWith) return refuse(400, 'invalid_request_error', state.rejectWith);
      const remembered = key === undefined ? undefined : answers.get(key);
      const known = remembered && Date.now() - remembered.at < day ? remembered : undefined;
      if (known && known.form !== text) {
        return refuse(400, 'idempotency_error', 'Keys can only be used with the same parameters.');
      }
      if (known) return send(200, known.body);
      const seconds = Number(form.expires_at) - Date.now() / 1000;
      if (path === '/v1/checkout/sessions' && seconds < halfAnHour) {
        return refuse(400, 'invalid_request_error', 'expires_at must be at least 30 minutes from now.');
      }
      made += key === undefined ? 0 : 1;
      const body =
        subscriptionResponse(state, req.method ?? '', path, form) ??
        listOf(state, req.method ?? '', path) ??
        answerTo(state, path, form, made);
      if (!body) return refuse(404, 'invalid_request_error', 'Unknown.');
      if (key !== undefined) answers.set(key, { form: text, body, at: Date.now() });
      send(200, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** Undefined unless a list is asked for. */
function listOf({ refunds, disputes }: StripeServer, method: string, url: string): unknown {
  const { pathname, searchParams } = new URL(url, 'http://stripe.test');
  const lists: Record<string, Iterable<Record<string, unknown>>> = {
    '/v1/refunds': refunds.values(),
    '/v1/disputes': disputes,
  };
  const list = lists[pathname];
  if (method !== 'GET' || !list) return undefined;
  const wanted = searchParams.get('payment_intent');
  const data = [...list].filter(({ payment_intent }) => payment_intent === wanted);
  return { object: 'list', url: pathname, data: data.reverse(), has_more: false };
}

function answerTo(server: StripeServer, url: string, form: Record<string, string>, number: number): unknown {
  const { sessions, refunds, refundStatus } = server;
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
    const payment = intentOf(server, payment_intent ?? '');
    // Nothing beyond what was paid goes back.
    const most = payment && Number(payment.amount_received) - payment.latest_charge.amount_refunded;
    if (most !== undefined && facts.amount > most) return undefined;
    const made = { id, object: 'refund', ...facts, status: refundStatus };
    refunds.set(id, made);
    return made;
  }
  const [, intent] = /^\/v1\/payment_intents\/([\w-]+)$/.exec(path) ?? [];
  if (intent !== undefined) return intentOf(server, intent);
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

/** The payment of a page that was paid, or of a bill: whoever lets that happen gives the page its `payment_intent`. */
function intentOf({ sessions, invoices, refunds, disputes }: StripeServer, id: string) {
  const page = [...sessions.values()].find((session) => session.payment_intent === id);
  const bill = [...invoices.values()].find((invoice) => invoiceIntentId(invoice) === id);
  const paid = page ?? bill;
  if (!paid) return undefined;
  const back = [...refunds.values()].filter(
    (refund) => refund.payment_intent === id && refund.status !== 'failed',
  );
  const amount_refunded = back.reduce((sum, refund) => sum + Number(refund.amount), 0);
  const disputed = disputes.some(({ payment_intent }) => payment_intent === id);
  const latest_charge = { id: `ch_${id}`, object: 'charge', amount_refunded, disputed };
  const { amount_total, amount_paid, currency, intentStatus = 'succeeded' } = paid;
  return {
    id,
    object: 'payment_intent',
    status: intentStatus,
    amount_received: amount_total ?? amount_paid,
    currency,
    latest_charge,
  };
}

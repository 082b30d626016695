/** Stripe API emulator on loopback with the endpoints that the adapter uses; records all calls. */
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

export type StripeFailure = 'down' | 'lost' | 'hang' | 'stall';

export interface StripeServer {
  url: string;
  calls: StripeCall[];
  /** Status of all responses while set. */
  failWith: number | undefined;
  /** Message of a permanent error (400) for all calls while set. */
  rejectWith: string | undefined;
  /**
   * Called for every request. `down`: fails without an effect. `lost`: takes effect, but the response fails. `hang`: takes effect, but
   * no response is sent. `stall`: takes effect only when `releaseStalled` is called, and no response is sent.
   */
  failure: (() => StripeFailure | undefined) | undefined;
  releaseStalled(): void;
  /** Checkout sessions and refunds by id. Tests change them to simulate customers and banks. */
  sessions: Map<string, Record<string, unknown>>;
  refunds: Map<string, Record<string, unknown>>;
  /** Subscriptions and invoices by id. Tests create them when a session is paid. */
  subscriptions: Map<string, Record<string, unknown>>;
  invoices: Map<string, Record<string, unknown>>;
  /** Disputes of all payments. */
  disputes: Record<string, unknown>[];
  /** Initial status of refunds. */
  refundStatus: 'succeeded' | 'pending';
}

const minSessionSeconds = 30 * 60;
/** Milliseconds for which Stripe stores idempotency keys. */
const keyLifetimeMs = 86_400_000;

export async function startStripeServer(): Promise<StripeServer> {
  const stalled: (() => void)[] = [];
  const state: StripeServer = {
    url: '',
    calls: [],
    failWith: undefined,
    rejectWith: undefined,
    failure: undefined,
    releaseStalled: () => {
      for (const take of stalled.splice(0)) take();
    },
    sessions: new Map(),
    refunds: new Map(),
    disputes: [],
    subscriptions: new Map(),
    invoices: new Map(),
    refundStatus: 'succeeded',
  };
  const storedResponses = new Map<string, { form: string; body: unknown; at: number }>();
  let createdCount = 0;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    const handle = (trouble: StripeFailure | undefined) => {
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
      const respond = (status: number, body: unknown, headers: Record<string, string> = {}) => {
        res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers });
        res.end(JSON.stringify(body));
      };
      const respondWithServerError = () =>
        respond(500, { error: { type: 'api_error', message: 'Lost.' } }, { 'stripe-should-retry': 'false' });
      if (trouble === 'down') return respondWithServerError();
      const send = trouble === 'lost' ? respondWithServerError : trouble === 'hang' ? () => {} : respond;
      const reject = (status: number, type: string, message: string) =>
        send(status, { error: { type, message } });
      if (state.failWith) return reject(state.failWith, 'api_error', 'Something broke at Stripe.');
      if (state.rejectWith) return reject(400, 'invalid_request_error', state.rejectWith);
      const stored = key === undefined ? undefined : storedResponses.get(key);
      const cached = stored && Date.now() - stored.at < keyLifetimeMs ? stored : undefined;
      if (cached && cached.form !== text) {
        return reject(400, 'idempotency_error', 'Keys can only be used with the same parameters.');
      }
      if (cached) return send(200, cached.body);
      const seconds = Number(form.expires_at) - Date.now() / 1000;
      if (path === '/v1/checkout/sessions' && seconds < minSessionSeconds) {
        return reject(400, 'invalid_request_error', 'expires_at must be at least 30 minutes from now.');
      }
      createdCount += key === undefined ? 0 : 1;
      const body =
        subscriptionResponse(state, req.method ?? '', path, form) ??
        listResponse(state, req.method ?? '', path) ??
        createResponse(state, path, form, createdCount);
      if (!body) return reject(404, 'invalid_request_error', 'Unknown.');
      if (key !== undefined) storedResponses.set(key, { form: text, body, at: Date.now() });
      send(200, body);
    };
    req.on('end', () => {
      const trouble = state.failure?.();
      if (trouble === 'stall') stalled.push(() => handle('hang'));
      else handle(trouble);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** Response to a list request; undefined for other requests. */
function listResponse({ refunds, disputes, sessions }: StripeServer, method: string, url: string): unknown {
  const { pathname, searchParams } = new URL(url, 'http://stripe.test');
  const lists: Record<string, Iterable<Record<string, unknown>>> = {
    '/v1/refunds': refunds.values(),
    '/v1/disputes': disputes,
  };
  if (method === 'GET' && pathname === '/v1/checkout/sessions') {
    const status = searchParams.get('status');
    const [from, to] = [searchParams.get('created[gte]') ?? 0, searchParams.get('created[lte]') ?? Infinity];
    const matching = [...sessions.values()]
      .reverse()
      .filter((session) => status === null || session.status === status)
      .filter(({ created }) => Number(created) >= Number(from) && Number(created) <= Number(to));
    const after = matching.findIndex(({ id }) => id === searchParams.get('starting_after'));
    const rest = matching.slice(after + 1);
    const limit = Number(searchParams.get('limit') ?? 10);
    return { object: 'list', url: pathname, data: rest.slice(0, limit), has_more: rest.length > limit };
  }
  const list = lists[pathname];
  if (method !== 'GET' || !list) return undefined;
  const intentId = searchParams.get('payment_intent');
  const data = [...list].filter(({ payment_intent }) => payment_intent === intentId);
  return { object: 'list', url: pathname, data: data.reverse(), has_more: false };
}

function createResponse(
  server: StripeServer,
  url: string,
  form: Record<string, string>,
  number: number,
): unknown {
  const { sessions, refunds, refundStatus } = server;
  const path = url.split('?')[0] ?? '';
  if (path === '/v1/checkout/sessions') {
    const id = `cs_test_${number}`;
    const created = Math.floor(Date.now() / 1000);
    const createdCount = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.test/c/${id}`,
      created,
    };
    const { client_reference_id, mode } = form;
    const initialState = { status: 'open', payment_status: 'unpaid', client_reference_id, mode };
    const metadata = { reference: form['metadata[reference]'] };
    sessions.set(id, { ...createdCount, ...initialState, ...totalOf(form), metadata });
    return createdCount;
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
    const refundFields = { payment_intent, amount: Number(amount), metadata: { refund } };
    const payment = intentOf(server, payment_intent ?? '');
    // Rejects refunds above the captured amount.
    const refundable = payment && Number(payment.amount_received) - payment.latest_charge.amount_refunded;
    if (refundable !== undefined && refundFields.amount > refundable) return undefined;
    const createdCount = { id, object: 'refund', ...refundFields, status: refundStatus };
    refunds.set(id, createdCount);
    return createdCount;
  }
  const [, intent] = /^\/v1\/payment_intents\/([\w-]+)$/.exec(path) ?? [];
  if (intent !== undefined) return intentOf(server, intent);
  return refunds.get(path.replace('/v1/refunds/', ''));
}

/** Total amount of a session in minor units. */
function totalOf(form: Readonly<Record<string, string>>) {
  let amount = 0;
  for (let line = 0; `line_items[${line}][quantity]` in form; line += 1) {
    const price = Number(form[`line_items[${line}][price_data][unit_amount]`]);
    amount += price * Number(form[`line_items[${line}][quantity]`]);
  }
  return { amount_total: amount, currency: form['line_items[0][price_data][currency]'] ?? null };
}

/** Payment intent of a paid session or invoice. Tests set `payment_intent` of a session when they pay it. */
function intentOf({ sessions, invoices, refunds, disputes }: StripeServer, id: string) {
  const session = [...sessions.values()].find((session) => session.payment_intent === id);
  const invoice = [...invoices.values()].find((invoice) => invoiceIntentId(invoice) === id);
  const source = session ?? invoice;
  if (!source) return undefined;
  const refundsOfIntent = [...refunds.values()].filter(
    (refund) => refund.payment_intent === id && refund.status !== 'failed',
  );
  const amount_refunded = refundsOfIntent.reduce((sum, refund) => sum + Number(refund.amount), 0);
  const disputed = disputes.some(({ payment_intent }) => payment_intent === id);
  const latest_charge = { id: `ch_${id}`, object: 'charge', amount_refunded, disputed };
  const { amount_total, amount_paid, currency, intentStatus = 'succeeded' } = source;
  return {
    id,
    object: 'payment_intent',
    status: intentStatus,
    amount_received: amount_total ?? amount_paid,
    currency,
    latest_charge,
  };
}

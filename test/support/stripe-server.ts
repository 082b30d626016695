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
}

const halfAnHour = 30 * 60;

export async function stripeServer(): Promise<StripeServer> {
  const state: StripeServer = { url: '', calls: [], failWith: undefined };
  const answers = new Map<string, { form: string; body: unknown }>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const form = Object.fromEntries(new URLSearchParams(text));
      const key = req.headers['idempotency-key'] as string | undefined;
      const path = req.url ?? '';
      state.calls.push({ path, key, authorization: req.headers.authorization, form });
      const send = (status: number, body: unknown) => {
        res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' });
        res.end(JSON.stringify(body));
      };
      const refuse = (status: number, type: string, message: string) =>
        send(status, { error: { type, message } });
      if (state.failWith) return refuse(state.failWith, 'api_error', 'Something broke at Stripe.');
      const known = key === undefined ? undefined : answers.get(key);
      if (known && known.form !== text) {
        return refuse(400, 'idempotency_error', 'Keys can only be used with the same parameters.');
      }
      if (known) return send(200, known.body);
      const seconds = Number(form.expires_at) - Date.now() / 1000;
      if (path === '/v1/checkout/sessions' && seconds < halfAnHour) {
        return refuse(400, 'invalid_request_error', 'expires_at must be at least 30 minutes from now.');
      }
      const body = answerTo(path, form, answers.size + 1);
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

function answerTo(path: string, form: Record<string, string>, number: number): unknown {
  if (path === '/v1/checkout/sessions') {
    const id = `cs_test_${number}`;
    return { id, object: 'checkout.session', url: `https://checkout.stripe.test/c/${id}` };
  }
  if (/^\/v1\/checkout\/sessions\/cs_test_\d+\/expire$/.test(path)) return { object: 'checkout.session' };
  if (path === '/v1/refunds') return { id: `re_${number}`, object: 'refund', amount: Number(form.amount) };
  return undefined;
}

/** `/metrics` for Prometheus: behind a token, or on a port of its own. */
import { createServer, type Server } from 'node:http';
import type { HttpResponse } from '../message.ts';
import { holdsToken, type TokenCheck } from './bearer.ts';
import type { Page } from './pages/page.ts';

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** On the gateway's own port everybody could ask: there is always a token. */
export const metricsPage =
  (source: MetricsText, expectToken: TokenCheck): Page =>
  async (request) => {
    await expectToken(request, 'Metrics need their token.');
    return answer(source);
  };

/** On a port that only Prometheus reaches, the token is optional. */
export function createMetricsServer(source: MetricsText, token: string | undefined): Server {
  return createServer(async (request, response) => {
    const found = request.url === '/metrics' && request.method === 'GET';
    const allowed = token === undefined || holdsToken(request.headers.authorization, token);
    const { status, headers, body } = !found
      ? { status: 404, headers: {}, body: '' }
      : allowed
        ? await answer(source)
        : { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' };
    response.writeHead(status, headers).end(body);
  });
}

async function answer(source: MetricsText): Promise<HttpResponse> {
  return {
    status: 200,
    headers: { 'content-type': source.contentType, 'cache-control': 'no-store' },
    body: await source.text(),
  };
}

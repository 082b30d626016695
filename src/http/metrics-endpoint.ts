/** `/metrics` for Prometheus: behind a token, or on a port of its own. */
import { createServer, type Server } from 'node:http';
import type { HttpResponse } from '../http-message.ts';
import { hasBearerToken, type OperatorTokenGuard } from './operator-token.ts';
import type { HttpPage } from './pages/http-page.ts';

export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** On the gateway's own port everybody could ask: there is always a token. */
export const metricsPage =
  (source: MetricsSource, expectToken: OperatorTokenGuard): HttpPage =>
  async (request) => {
    await expectToken(request, 'Metrics need their token.');
    return answer(source);
  };

/** On a port that only Prometheus reaches, the token is optional. */
export function createMetricsServer(source: MetricsSource, token: string | undefined): Server {
  return createServer(async (request, response) => {
    const found = request.url === '/metrics' && request.method === 'GET';
    const allowed = token === undefined || hasBearerToken(request.headers.authorization, token);
    const { status, headers, body } = !found
      ? { status: 404, headers: {}, body: '' }
      : allowed
        ? await answer(source)
        : { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' };
    response.writeHead(status, headers).end(body);
  });
}

async function answer(source: MetricsSource): Promise<HttpResponse> {
  return {
    status: 200,
    headers: { 'content-type': source.contentType, 'cache-control': 'no-store' },
    body: await source.text(),
  };
}

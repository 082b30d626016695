/** `/metrics` for Prometheus: protected by a token, or on a separate port. */
import { createServer, type Server } from 'node:http';
import type { HttpResponse } from '../http-message.ts';
import { matchesBearerToken, type OperatorTokenGuard } from './operator-token.ts';
import type { HttpPageHandler } from './pages/http-page.ts';

export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** On the gateway's public port the token is mandatory. */
export const createMetricsPage =
  (source: MetricsSource, assertToken: OperatorTokenGuard): HttpPageHandler =>
  async (request) => {
    await assertToken(request, 'Send the metrics token (METRICS_TOKEN) as Authorization: Bearer.');
    return metricsResponse(source);
  };

/** On a separate port (METRICS_PORT), which only Prometheus should reach, the token is optional. */
export function createMetricsServer(source: MetricsSource, token: string | undefined): Server {
  return createServer(async (request, response) => {
    const isMetricsPath = request.url === '/metrics' && request.method === 'GET';
    const isAllowed = token === undefined || matchesBearerToken(request.headers.authorization, token);
    const { status, headers, body } = !isMetricsPath
      ? { status: 404, headers: {}, body: '' }
      : isAllowed
        ? await metricsResponse(source)
        : { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' };
    response.writeHead(status, headers).end(body);
  });
}

async function metricsResponse(source: MetricsSource): Promise<HttpResponse> {
  return {
    status: 200,
    headers: { 'content-type': source.contentType, 'cache-control': 'no-store' },
    body: await source.text(),
  };
}

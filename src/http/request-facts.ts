/** Reads the request facts from the headers of an HTTP request. */
import { randomUUID } from 'node:crypto';
import type { RequestFacts } from '../context.ts';
import type { HttpRequest } from '../http-message.ts';
import type { Protocol } from '../ports/metrics.ts';

function protocolOf(path: string): Protocol {
  if (path === '/graphql' || path.startsWith('/graphql/')) return 'graphql';
  return path.startsWith('/v1/') ? 'rest' : 'other';
}

/** Printable ASCII, without or with spaces: other values could break log lines. */
const validRequestId = /^[\x21-\x7e]{1,200}$/;
const validClientName = /^[\x20-\x7e]{1,60}$/;

export function readRequestFacts(request: HttpRequest, trustedProxies: number): RequestFacts {
  const requestId = request.header('x-request-id');
  const clientName = request.header('x-client-name')?.trim();
  return {
    requestId: requestId && validRequestId.test(requestId) ? requestId : randomUUID(),
    protocol: protocolOf(request.path),
    address: resolveClientAddress(request, trustedProxies),
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    idempotencyKey: request.header('idempotency-key'),
    clientName: clientName && validClientName.test(clientName) ? clientName : undefined,
    acceptLanguage: request.header('accept-language'),
    consistencyToken: request.header('x-consistency-token'),
    responseHeaders: {},
    operationCost: { total: 0 },
    publicRead: { businessIds: [], tags: undefined },
    measuredTime: { databaseMs: 0, introspectionMs: 0 },
    observed: { user: undefined, operation: undefined, variables: undefined, code: undefined },
    uses: [],
  };
}

/** Each trusted proxy appends the address of its peer to X-Forwarded-For; entries further left may be forged by the client. */
export function resolveClientAddress(
  request: Pick<HttpRequest, 'header' | 'remoteAddress'>,
  trustedProxies: number,
): string {
  if (trustedProxies === 0) return request.remoteAddress;
  const forwarded = request.header('x-forwarded-for')?.split(',') ?? [];
  return forwarded.at(-trustedProxies)?.trim() || forwarded[0]?.trim() || request.remoteAddress;
}

/** What a request says of itself, and the context made of it. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../auth/viewer.ts';
import { type Context, createContext, type RequestFacts, type Services } from '../context.ts';
import type { HttpRequest } from '../http-message.ts';
import type { Protocol } from '../ports/metrics.ts';

export async function createRequestContext(services: Services, request: RequestFacts): Promise<Context> {
  return createContext(services.db, services, request, await authenticate(services, request));
}

function voiceOf(path: string): Protocol {
  if (path === '/graphql') return 'graphql';
  return path.startsWith('/v1/') ? 'rest' : 'other';
}

const printable = /^[\x21-\x7e]{1,200}$/;
const nameable = /^[\x20-\x7e]{1,60}$/;

export function readRequestFacts(request: HttpRequest, trustedProxies: number): RequestFacts {
  const sent = request.header('x-request-id');
  const clientName = request.header('x-client-name')?.trim();
  return {
    requestId: sent && printable.test(sent) ? sent : randomUUID(),
    protocol: voiceOf(request.path),
    address: resolveClientAddress(request, trustedProxies),
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    idempotencyKey: request.header('idempotency-key'),
    clientName: clientName && nameable.test(clientName) ? clientName : undefined,
    acceptLanguage: request.header('accept-language'),
    consistencyToken: request.header('x-consistency-token'),
    responseHeaders: {},
    operationCost: { cost: 0 },
  };
}

/** Each trusted proxy appends the address it was called from; what stands further left in the list may be made up. */
export function resolveClientAddress(request: HttpRequest, trustedProxies: number): string {
  if (trustedProxies === 0) return request.remoteAddress;
  const forwarded = request.header('x-forwarded-for')?.split(',') ?? [];
  return forwarded.at(-trustedProxies)?.trim() || forwarded[0]?.trim() || request.remoteAddress;
}

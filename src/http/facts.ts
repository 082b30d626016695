/** What a request says of itself, and the context made of it. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../auth/viewer.ts';
import type { Context, RequestFacts, Services } from '../context.ts';
import type { HttpRequest } from '../message.ts';
import type { Voice } from '../ports/metrics.ts';

export async function contextOf(services: Services, request: RequestFacts): Promise<Context> {
  const viewer = await authenticate(services, request);
  // By name: to spread them takes more than ten times as long, for every request.
  return {
    request,
    viewer,
    config: services.config,
    db: services.db,
    keys: services.keys,
    tokens: services.tokens,
    revocations: services.revocations,
    jobs: services.jobs,
    mail: services.mail,
    sms: services.sms,
    media: services.media,
    images: services.images,
    identity: services.identity,
    limits: services.limits,
    live: services.live,
    payments: services.payments,
    text: services.text,
    webhooks: services.webhooks,
    metrics: services.metrics,
    usage: services.usage,
    log: services.log,
  };
}

function voiceOf(path: string): Voice {
  if (path === '/graphql') return 'graphql';
  return path.startsWith('/v1/') ? 'rest' : 'other';
}

const printable = /^[\x21-\x7e]{1,200}$/;
const nameable = /^[\x20-\x7e]{1,60}$/;

export function factsOf(request: HttpRequest, trustedProxies: number): RequestFacts {
  const sent = request.header('x-request-id');
  const clientName = request.header('x-client-name')?.trim();
  return {
    requestId: sent && printable.test(sent) ? sent : randomUUID(),
    voice: voiceOf(request.path),
    address: clientAddress(request, trustedProxies),
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    idempotencyKey: request.header('idempotency-key'),
    clientName: clientName && nameable.test(clientName) ? clientName : undefined,
    acceptLanguage: request.header('accept-language'),
    consistencyToken: request.header('x-consistency-token'),
    answerHeaders: {},
    spent: { cost: 0 },
  };
}

/** Each trusted proxy appends the address it was called from; what stands further left in the list may be made up. */
export function clientAddress(request: HttpRequest, trustedProxies: number): string {
  if (trustedProxies === 0) return request.remoteAddress;
  const forwarded = request.header('x-forwarded-for')?.split(',') ?? [];
  return forwarded.at(-trustedProxies)?.trim() || forwarded[0]?.trim() || request.remoteAddress;
}

/** Context of every resolver and use case: the services of the process and the facts of the request. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { GatewayKeys } from './auth/gateway-keys.ts';
import type { RevokedSessionCache } from './auth/revoked-session-cache.ts';
import type { JwtService } from './auth/sign-and-verify-tokens.ts';
import { authenticateOrAnonymous, type Viewer } from './auth/viewer-and-authentication.ts';
import type { Config } from './config.ts';
import type { Db } from './db/handles.ts';
import type { HttpRequest } from './http-message.ts';
import type { PartOfKeys } from './lib/cache/per-request-loader.ts';
import type { LiveUpdates } from './live/live-updates.ts';
import type { BlockValueGenerator } from './ports/block-value-generator.ts';
import type { EdgeCache } from './ports/edge-cache.ts';
import type { IdentityProvider } from './ports/identity.ts';
import type { ImageProcessor } from './ports/images.ts';
import type { JobEnqueuer } from './ports/jobs.ts';
import type { MailSender } from './ports/mail.ts';
import type { MediaStore } from './ports/media.ts';
import type { Metrics, Protocol } from './ports/metrics.ts';
import type { PaymentProvider } from './ports/payments.ts';
import type { RateLimiter } from './ports/rate-limits.ts';
import type { ObservedCall, RequestLogRecorder } from './ports/request-log.ts';
import type { SmsSender } from './ports/sms.ts';
import type { ObservedUse, UsageRecorder } from './ports/usage.ts';
import type { WebhookSender } from './ports/webhooks.ts';

/** Created once per process in src/app.ts. */
export interface Services {
  readonly config: Config;
  readonly db: Db;
  readonly keys: GatewayKeys;
  readonly tokens: JwtService;
  readonly revocations: RevokedSessionCache;
  readonly jobs: JobEnqueuer;
  readonly mail: MailSender;
  readonly sms: SmsSender;
  /** Store of uploaded files. */
  readonly media: MediaStore;
  readonly images: ImageProcessor;
  /** Undefined while no identity provider is configured. */
  readonly identity: IdentityProvider | undefined;
  readonly limits: RateLimiter;
  readonly live: LiveUpdates;
  readonly payments: PaymentProvider;
  readonly blockValues: BlockValueGenerator;
  readonly webhooks: WebhookSender;
  /** Undefined while no cache to purge is configured. */
  readonly edgeCache: EdgeCache | undefined;
  /** Undefined while metrics are not collected. */
  readonly metrics: Metrics | undefined;
  readonly usage: UsageRecorder;
  readonly requestLog: RequestLogRecorder;
  readonly log: Logger;
  /** Undefined with one database server. */
  readonly servers: BusinessServers | undefined;
}

/** A root field of an operation, with the business that its arguments name. */
export interface RootFieldCall {
  readonly name: string;
  readonly businessId: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Several database servers: each business is on one of them, and the accounts are on the home server. */
export interface BusinessServers {
  /** Services of each server, with the home server first. */
  readonly all: readonly Services[];
  /** Services for operations that name no business. */
  readonly accounts: Services;
  /**
   * Services on the server of the business that a root field names, or `accounts` if it names none. Throws if the field is not supported
   * there.
   */
  servicesOfCall(call: RootFieldCall): Promise<Services>;
  /** Services on the server of a business. */
  servicesOfBusiness(idOrSlug: string): Promise<Services>;
  /**
   * Keys to load on each server, for an operation that names no business; undefined for other operations. A key is the id of a record,
   * or begins with the id of its business and a slash.
   */
  partitionKeys(ctx: Context, keys: readonly string[]): Promise<PartOfKeys<Context>[]> | undefined;
  /** Reads the server of a business again, after `error` by the write fence of the server that had it before. */
  forgetServerOfBusiness(error: unknown): void;
  /** Chooses the server of a new business, and runs `create` there. A retry with the same Idempotency-Key runs on the same server. */
  createBusiness<Business extends { id: string }>(
    ctx: Context,
    create: (ctx: Context, id: string) => Promise<Business>,
  ): Promise<Business>;
  /** Runs `run` while no other operation chooses a slug. */
  serializeSlugChanges<Result>(ctx: Context, run: () => Promise<Result>): Promise<Result>;
}

/** Facts of a request, the same for REST and GraphQL. */
export interface RequestFacts {
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The caller's network address. */
  readonly address: string;
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The use case must run in a transaction, because the caller records its progress in the same one (domains/bulk). */
  readonly requiresTransaction?: boolean;
  /** Value of the client name header, for usage statistics. */
  readonly clientName: string | undefined;
  readonly acceptLanguage?: string | undefined;
  /** WAL position from an earlier response: a replica must have replayed it before it may serve this request. */
  readonly consistencyToken: string | undefined;
  /** Response headers set by use cases, such as the remaining rate limit; sent for REST and GraphQL. */
  readonly responseHeaders: Record<string, string>;
  /**
   * Total cost of the operations of this request; a batch shares one limit. `onChange` receives the new total. `chargeEvent` charges the total
   * again, for an event of a subscription, and resolves when the payer's budget has units left.
   */
  readonly operationCost: { total: number; onChange?(total: number): void; chargeEvent?(): Promise<void> };
  /**
   * Businesses whose storefront this request reads without a token, and the surrogate keys of its response. `tags` is undefined unless the
   * whole response is readable for any client.
   */
  readonly publicRead: { readonly businessIds: string[]; tags: readonly string[] | undefined };
  /**
   * Milliseconds of work that were measured while the request ran; the payer's budget is charged with them afterwards. `documentMs`: validation of
   * long documents, and introspection.
   */
  readonly measuredTime: { databaseMs: number; documentMs: number };
  /** What the request log reads when the request is done. */
  readonly observed: ObservedCall;
  /** Counted in the usage statistics when the request is done; several for a batch. */
  readonly uses: ObservedUse[];
  /** Aborted when the client disconnects. Set only for requests that may be answered by a stream. */
  readonly abortSignal?: AbortSignal;
}

export interface Context extends Services {
  readonly request: RequestFacts;
  readonly viewer: Viewer;
}

/** PERF: copies property by property. Spreading `services` takes more than ten times as long, adding properties to a copy even longer (CONTRIBUTING.md, on shapes). */
export const createContext = (
  db: Db,
  services: Services,
  request: RequestFacts,
  viewer: Viewer,
): Context => ({
  request,
  viewer,
  config: services.config,
  db,
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
  blockValues: services.blockValues,
  webhooks: services.webhooks,
  edgeCache: services.edgeCache,
  metrics: services.metrics,
  usage: services.usage,
  requestLog: services.requestLog,
  log: services.log,
  servers: services.servers,
});

/** A request in progress: its facts, and its context, which is created (and the caller authenticated) on demand. */
export interface RequestInProgress {
  readonly facts: RequestFacts;
  createContext(abortSignal?: AbortSignal): Promise<Context>;
}

export const beginRequest = (services: Services, facts: RequestFacts): RequestInProgress => ({
  facts,
  async createContext(abortSignal) {
    const request = abortSignal === undefined ? facts : { ...facts, abortSignal };
    const viewer = await authenticateOrAnonymous(services, request);
    request.observed.user = viewer.user;
    return createContext(services.db, services, request, viewer);
  },
});

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
    measuredTime: { databaseMs: 0, documentMs: 0 },
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

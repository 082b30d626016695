/** Reads and validates the environment once. No other file reads `process.env`. */
import { join } from 'node:path';
import { assertProductionVariables, type UsedServices } from './check-production-variables.ts';
import { environmentSchema } from './environment-schema.ts';
import { listMisspeltVariables } from './find-misspelt-variables.ts';
import { ConfigError } from './lib/operator-errors.ts';
import type { RetentionPeriodName } from './lib/retention-period-names.ts';
import { type OperatorQuotas, readOperatorQuotas } from './operator-quotas.ts';
import type { EdgeCacheOptions } from './ports/edge-cache.ts';
import type { S3Options } from './ports/media.ts';
import {
  type OidcConfig,
  readOidcConfig,
  readS3Config,
  readSmsConfig,
  readStripeConfig,
  readWorkers,
  type SmsConfig,
} from './read-provider-config.ts';
import { type DatabaseShard, readShards } from './shard-variables.ts';

/** Default ports of frontend development servers. */
const developmentOrigins = ['http://localhost:3000', 'http://localhost:5173'];

export type Config = Readonly<{
  production: boolean;
  /** Sandbox pages are served: captured messages, payment page, phone codes. Default: off in production. */
  sandbox: boolean;
  port: number;
  /** Undefined: listens on all interfaces. */
  host: string | undefined;
  /** Public origin of the gateway; prefix of links in mails and pages. */
  publicUrl: string;
  allowedOrigins: readonly string[];
  /** Number of trusted proxies whose X-Forwarded-For entries are used. */
  trustedProxies: number;
  redisUrl: string | undefined;
  rateLimit: boolean;
  /** Seconds that a stopping process still accepts connections, until load balancers notice. */
  drainSeconds: number;
  /** Maximum number of unpaid orders at a time. */
  unpaidOrders: Readonly<{ perCustomer: number; perAddress: number }>;
  quotas: OperatorQuotas;
  /** Cost units per caller and minute. */
  requestBudget: number;
  /** Request budgets that all guests of one network may spend together. */
  guestNetworkBudgets: number;
  /** Maximum number of concurrent requests in this process. */
  /** Number of processes that `duet start` runs. */
  workers: number;
  maxConcurrency: number;
  /** Time limit of one operation, in milliseconds. */
  operationTimeoutMs: number;
  databaseUrl: string | undefined;
  /** Direct server address, if `databaseUrl` points to a pooler. */
  databaseDirectUrl: string | undefined;
  /** Whether the pooler supports prepared statements; `auto`: detected at start. */
  databasePrepared: 'on' | 'off' | 'auto';
  /** Read replicas, and their maximum lag in milliseconds. */
  databaseReplicaUrls: readonly string[];
  replicaMaxLagMs: number;
  /** Database servers in addition to the home server of `databaseUrl`. Empty: all businesses live on one server. */
  databaseShards: readonly DatabaseShard[];
  /** Share of new businesses that the home server gets. */
  homeServerWeight: number;
  databasePool: number;
  /** Whether repeated requests use the fast path: compiled operations, pre-rendered JSON, batched reads. */
  fastPath: boolean;
  /** Memory limit of the record cache, including rendered JSON. */
  cacheBytes: number;
  dataDir: string;
  /** Files are stored in the S3 bucket, if configured, otherwise in `dir`; `maxBytes` limits one file. */
  media: Readonly<{ dir: string; s3: S3Options | undefined; maxBytes: number }>;
  smtpUrl: string | undefined;
  mailFrom: string;
  sms: SmsConfig | undefined;
  oidc: OidcConfig | undefined;
  /** Undefined: payments use the sandbox. */
  stripe: Readonly<{ secretKey: string; webhookSecret: string; apiBase: string }> | undefined;
  /** Alias of the payment method CARD_PROVIDER in requests. */
  cardProviderName: string;
  /** Text model; undefined: built-in generator. */
  llm: Readonly<{ baseUrl: string; apiKey: string | undefined; model: string }> | undefined;
  /** Concurrent newsletter mails of this process, and its maximum rate per second. */
  newsletter: Readonly<{ concurrency: number; perSecond: number }>;
  /** Grace period in seconds after a failed renewal payment, during which a subscription stays active. */
  subscriptionGrace: number;
  /** Allows webhook URLs with http and with private or loopback addresses. */
  webhooks: Readonly<{ allowPrivate: boolean }>;
  /** Storage of public reads in shared caches, in seconds (`maxAge` 0: never), and the caches to purge. */
  edgeCache: Readonly<{ maxAge: number; stale: number }> & EdgeCacheOptions;
  seedDemo: boolean;
  signingKey: string | undefined;
  /** Keys for secrets in the database: the first encrypts, all decrypt. Empty: secrets are stored in plain text. */
  secretsKeys: readonly Uint8Array[];
  /** Rejects GraphQL documents that are not registered. */
  trustedOnly: boolean;
  /** Folder of registered documents, in addition to the stored operations of REST. */
  trustedDocuments: string | undefined;
  /** Undefined: metrics are off. Without a port, the main server serves them to holders of the token. */
  metrics: Readonly<{ port: number | undefined; token: string | undefined }> | undefined;
  /** OTLP exporter and sampling ratio (0 to 1); undefined: tracing is off. */
  traces:
    | Readonly<{ endpoint: string; headers: Record<string, string>; serviceName: string; ratio: number }>
    | undefined;
  /** Whether API usage is counted per client. */
  usage: boolean;
  /** Whether requests of a business are recorded for its developers. */
  requestLog: boolean;
  /** Token for `/admin`; undefined: there is no admin page. */
  adminToken: string | undefined;
  /** Retention periods in seconds. */
  retention: Readonly<Record<RetentionPeriodName, number>>;
  logLevel: string;
}>;

/** Throws a ConfigError with one line per invalid, missing or misspelt variable. `used`: services that production requires. */
export function readConfig(env: Record<string, string | undefined>, used: UsedServices = 'services'): Config {
  try {
    return parseConfig(env, used);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([error.message, ...listMisspeltVariables(env)].join('\n'));
  }
}

function parseConfig(env: Record<string, string | undefined>, used: UsedServices): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const e = result.data;
  const production = e.NODE_ENV === 'production';
  const sandbox = !production || e.SANDBOX === 'allowed';
  if (!sandbox) assertProductionVariables(e, used);
  return {
    production,
    sandbox,
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? `http://localhost:${e.PORT}`,
    allowedOrigins: e.ALLOWED_ORIGINS ?? (production ? [] : developmentOrigins),
    trustedProxies: e.TRUST_PROXY,
    redisUrl: e.REDIS_URL,
    rateLimit: e.RATE_LIMIT,
    drainSeconds: e.DRAIN_SECONDS,
    unpaidOrders: { perCustomer: e.UNPAID_ORDERS_PER_CUSTOMER, perAddress: e.UNPAID_ORDERS_PER_ADDRESS },
    quotas: readOperatorQuotas(e),
    requestBudget: e.REQUEST_BUDGET,
    guestNetworkBudgets: e.GUEST_NETWORK_BUDGETS,
    workers: readWorkers(e),
    maxConcurrency: e.MAX_CONCURRENCY,
    operationTimeoutMs: e.OPERATION_TIMEOUT,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: e.DATABASE_URL === undefined ? undefined : e.DATABASE_DIRECT_URL,
    databasePrepared: e.DATABASE_PREPARED,
    databaseReplicaUrls: e.DATABASE_URL === undefined ? [] : e.DATABASE_REPLICA_URLS,
    replicaMaxLagMs: e.REPLICA_MAX_LAG,
    ...readShards(e),
    databasePool: e.DATABASE_POOL,
    fastPath: e.FAST_PATH,
    cacheBytes: e.CACHE_MB * 1024 * 1024,
    dataDir: e.DATA_DIR,
    media: {
      dir: e.MEDIA_DIR ?? join(e.DATA_DIR, 'media'),
      s3: readS3Config(e),
      maxBytes: e.MEDIA_MAX_MB * 1024 * 1024,
    },
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    sms: readSmsConfig(e),
    oidc: readOidcConfig(e),
    stripe: readStripeConfig(e),
    cardProviderName: e.CARD_PROVIDER_NAME,
    llm: e.LLM_BASE_URL ? { baseUrl: e.LLM_BASE_URL, apiKey: e.LLM_API_KEY, model: e.LLM_MODEL } : undefined,
    newsletter: { concurrency: e.NEWSLETTER_CONCURRENCY, perSecond: e.NEWSLETTER_PER_SECOND },
    subscriptionGrace: e.SUBSCRIPTION_GRACE,
    webhooks: { allowPrivate: e.WEBHOOK_ALLOW_PRIVATE },
    edgeCache: {
      maxAge: e.EDGE_CACHE_SECONDS,
      stale: e.EDGE_CACHE_STALE_SECONDS,
      form: e.CACHE_PURGE_FORM,
      urls: e.CACHE_PURGE_URL,
      token: e.CACHE_PURGE_TOKEN,
    },
    seedDemo: e.SEED_DEMO ?? e.DATABASE_URL === undefined,
    signingKey: e.SIGNING_KEY,
    secretsKeys: e.SECRETS_KEY ?? [],
    trustedOnly: e.GRAPHQL_DOCUMENTS === 'trusted',
    trustedDocuments: e.TRUSTED_DOCUMENTS,
    metrics: e.METRICS_PORT || e.METRICS_TOKEN ? { port: e.METRICS_PORT, token: e.METRICS_TOKEN } : undefined,
    traces: e.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: e.OTEL_EXPORTER_OTLP_HEADERS,
          serviceName: e.OTEL_SERVICE_NAME,
          ratio: e.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    usage: e.USAGE,
    requestLog: e.REQUEST_LOG,
    adminToken: e.ADMIN_TOKEN,
    retention: {
      expired: 0,
      idempotencyKeys: e.RETENTION_IDEMPOTENCY_KEYS,
      guests: e.RETENTION_GUESTS,
      securityEvents: e.RETENTION_SECURITY_EVENTS,
      paymentEvents: e.RETENTION_PAYMENT_EVENTS,
      webhooks: e.RETENTION_WEBHOOKS,
      newsletterRecipients: e.RETENTION_NEWSLETTER_RECIPIENTS,
      unconfirmedSubscriptions: e.RETENTION_UNCONFIRMED_SUBSCRIPTIONS,
      changes: e.RETENTION_CHANGES,
      carts: e.RETENTION_CARTS,
      usage: e.RETENTION_USAGE,
      requestLog: e.RETENTION_REQUEST_LOG,
      ...{ bulk: e.RETENTION_BULK, media: e.RETENTION_MEDIA },
      jobs: e.RETENTION_JOBS,
    },
    logLevel: e.LOG_LEVEL,
  };
}

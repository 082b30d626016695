/** Reads and checks the environment, once. Nothing else in the project reads `process.env`. */
import { join } from 'node:path';
import { type EnvironmentVariables, environmentSchema } from './environment-schema.ts';
import { ConfigError, requireAllOrNone } from './lib/operator-errors.ts';
import type { RetentionKey } from './lib/retention-keys.ts';
import type { S3Options } from './ports/media.ts';

/** Where frontends usually run while they are being written. */
const developmentOrigins = ['http://localhost:3000', 'http://localhost:5173'];

export type SmsConfig =
  | { kind: 'webhook'; url: string }
  | { kind: 'twilio'; accountSid: string; authToken: string; from: string; apiBase: string };

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** What `OAUTH_IDP` may also be called on the wire. */
  name: string | undefined;
}

export type Config = Readonly<{
  production: boolean;
  /** Embedded parts may show what they keep: outbox, payment page, phone codes. Not in production, unless it was asked for. */
  sandbox: boolean;
  port: number;
  /** Undefined: every address of the machine. */
  host: string | undefined;
  /** The origin clients use to reach us; links in mails and pages start with it. */
  publicUrl: string;
  allowedOrigins: readonly string[];
  /** How many proxies in front of us tell the truth in X-Forwarded-For. */
  trustedProxies: number;
  redisUrl: string | undefined;
  rateLimit: boolean;
  /** How long a process that was told to stop still takes connections, for load balancers to notice. */
  drainSeconds: number;
  /** How many orders may wait to be paid at a time. */
  unpaidOrders: Readonly<{ perCustomer: number; perAddress: number }>;
  /** Units that a caller may spend in a minute. */
  requestBudget: number;
  /** Requests that this process works on at once. */
  maxConcurrency: number;
  /** How long an operation may take. */
  operationTimeoutMs: number;
  databaseUrl: string | undefined;
  /** The server itself, when `databaseUrl` is that of a pooler. */
  databaseDirectUrl: string | undefined;
  /** Whether that pooler keeps named statements; `auto`: it is asked. */
  databasePrepared: 'on' | 'off' | 'auto';
  /** Servers that follow it and answer reads, and how far behind they may be. */
  databaseReplicaUrls: readonly string[];
  replicaMaxLagMs: number;
  databasePool: number;
  /** Room for records and the texts made of them. */
  cacheBytes: number;
  dataDir: string;
  /** Files are kept in the bucket, or else in the folder; none is larger than that. */
  media: Readonly<{ dir: string; s3: S3Options | undefined; maxBytes: number }>;
  smtpUrl: string | undefined;
  mailFrom: string;
  sms: SmsConfig | undefined;
  oidc: OidcConfig | undefined;
  /** Undefined: payments happen on the sandbox's own page. */
  stripe: Readonly<{ secretKey: string; webhookSecret: string; apiBase: string }> | undefined;
  /** What clients may call CARD_PROVIDER. */
  cardProviderName: string;
  /** A text model, or undefined for the built-in generator. */
  llm: Readonly<{ baseUrl: string; apiKey: string | undefined; model: string }> | undefined;
  /** Mails this process has under way at a time, and begins per second. */
  newsletter: Readonly<{ concurrency: number; perSecond: number }>;
  /** For how many seconds a subscription whose renewal was not paid goes on. */
  subscriptionGrace: number;
  /** Webhooks may go to private and loopback addresses, and over plain http. */
  webhooks: Readonly<{ allowPrivate: boolean }>;
  seedDemo: boolean;
  signingKey: string | undefined;
  /** What seals secrets in the database: the first key, and older ones that still open. None: they are kept as they are. */
  secretsKeys: readonly Uint8Array[];
  /** GraphQL documents that are not registered are refused. */
  trustedOnly: boolean;
  /** Folder of registered documents, beside the ones REST runs. */
  trustedDocuments: string | undefined;
  /** Undefined: nothing is counted. Without a port of its own it is served behind its token. */
  metrics: Readonly<{ port: number | undefined; token: string | undefined }> | undefined;
  /** Where spans go, and which part of the traces; undefined: there are none. */
  traces:
    | Readonly<{ endpoint: string; headers: Record<string, string>; serviceName: string; ratio: number }>
    | undefined;
  /** Whether it is counted who uses what. */
  usage: boolean;
  /** Who holds it sees `/admin`; undefined: there is none. */
  adminToken: string | undefined;
  /** For how many seconds what is kept for a while only. */
  retention: Readonly<Record<RetentionKey, number>>;
  logLevel: string;
}>;

export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const e = result.data;
  const production = e.NODE_ENV === 'production';
  const sandbox = !production || e.SANDBOX === 'allowed';
  refuseEmbeddedParts(!sandbox, {
    DATABASE_URL: e.DATABASE_URL,
    SMTP_URL: e.SMTP_URL,
    STRIPE_SECRET_KEY: e.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: e.STRIPE_WEBHOOK_SECRET,
  });
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
    requestBudget: e.REQUEST_BUDGET,
    maxConcurrency: e.MAX_CONCURRENCY,
    operationTimeoutMs: e.OPERATION_TIMEOUT,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: e.DATABASE_URL === undefined ? undefined : e.DATABASE_DIRECT_URL,
    databasePrepared: e.DATABASE_PREPARED,
    databaseReplicaUrls: e.DATABASE_URL === undefined ? [] : e.DATABASE_REPLICA_URLS,
    replicaMaxLagMs: e.REPLICA_MAX_LAG,
    databasePool: e.DATABASE_POOL,
    cacheBytes: e.CACHE_MB * 1024 * 1024,
    dataDir: e.DATA_DIR,
    media: {
      dir: e.MEDIA_DIR ?? join(e.DATA_DIR, 'media'),
      s3: s3Config(e),
      maxBytes: e.MEDIA_MAX_MB * 1024 * 1024,
    },
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    sms: smsConfig(e),
    oidc: oidcConfig(e),
    stripe: stripeOf(e.STRIPE_SECRET_KEY, e.STRIPE_WEBHOOK_SECRET, e.STRIPE_API_BASE),
    cardProviderName: e.CARD_PROVIDER_NAME,
    llm: e.LLM_BASE_URL ? { baseUrl: e.LLM_BASE_URL, apiKey: e.LLM_API_KEY, model: e.LLM_MODEL } : undefined,
    newsletter: { concurrency: e.NEWSLETTER_CONCURRENCY, perSecond: e.NEWSLETTER_PER_SECOND },
    subscriptionGrace: e.SUBSCRIPTION_GRACE,
    webhooks: { allowPrivate: e.WEBHOOK_ALLOW_PRIVATE },
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
      ...{ bulk: e.RETENTION_BULK, media: e.RETENTION_MEDIA },
      jobs: e.RETENTION_JOBS,
    },
    logLevel: e.LOG_LEVEL,
  };
}

function smsConfig(e: EnvironmentVariables): SmsConfig | undefined {
  if (e.SMS_WEBHOOK_URL) return { kind: 'webhook', url: e.SMS_WEBHOOK_URL };
  const group = requireAllOrNone(e, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
  return (
    group && {
      kind: 'twilio',
      accountSid: group.TWILIO_ACCOUNT_SID,
      authToken: group.TWILIO_AUTH_TOKEN,
      from: group.TWILIO_FROM,
      apiBase: e.TWILIO_API_BASE,
    }
  );
}

function s3Config(e: EnvironmentVariables): S3Options | undefined {
  const group = requireAllOrNone(e, [
    'MEDIA_S3_ENDPOINT',
    'MEDIA_S3_BUCKET',
    'MEDIA_S3_ACCESS_KEY',
    'MEDIA_S3_SECRET_KEY',
  ]);
  return (
    group && {
      endpoint: group.MEDIA_S3_ENDPOINT,
      bucket: group.MEDIA_S3_BUCKET,
      region: e.MEDIA_S3_REGION,
      accessKey: group.MEDIA_S3_ACCESS_KEY,
      secretKey: group.MEDIA_S3_SECRET_KEY,
    }
  );
}

function oidcConfig(e: EnvironmentVariables): OidcConfig | undefined {
  const group = requireAllOrNone(e, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']);
  return (
    group && {
      issuer: group.OIDC_ISSUER,
      clientId: group.OIDC_CLIENT_ID,
      clientSecret: e.OIDC_CLIENT_SECRET,
      name: e.OIDC_NAME,
    }
  );
}

/** Half a configuration would take money and never hear of it. */
function stripeOf(secretKey: string | undefined, webhookSecret: string | undefined, apiBase: string) {
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined) {
    throw new ConfigError('Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.');
  }
  return { secretKey, webhookSecret, apiBase };
}

/** A production process must not run on parts meant for one developer's machine without saying so. */
function refuseEmbeddedParts(strict: boolean, parts: Record<string, string | undefined>) {
  const missing = Object.keys(parts).filter((name) => parts[name] === undefined);
  if (strict && missing.length > 0) {
    throw new ConfigError(
      `NODE_ENV=production, but these parts are still embedded: set ${missing.join(', ')}, or SANDBOX=allowed to run on the embedded parts.`,
    );
  }
}

/** Zod schema of all environment variables: format and default of each. */
import { z } from 'zod';
import { isDatabaseUrl } from './lib/net/multi-host-url.ts';
import { parseHeadersVariable } from './lib/net/parse-headers-variable.ts';
import { parseSecretsKeys } from './secrets-key-cipher.ts';
import { databaseShardsSchema, shardWeightsSchema } from './shard-variables.ts';

const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

/** A number of hours (`12h`) or days (`30d`), parsed to seconds. */
const duration = (standard: string) =>
  z
    .string()
    .regex(/^\d{1,5}[hd]$/, 'must look like 12h or 30d')
    .default(standard)
    .transform((value) => Number.parseInt(value, 10) * (value.endsWith('h') ? 3600 : 86_400));

/** A number of seconds (`10s`) or milliseconds (`500ms`), parsed to milliseconds. */
const seconds = (standard: string) =>
  z
    .string()
    .regex(/^\d{1,6}(ms|s)?$/, 'must look like 10s or 500ms')
    .default(standard)
    .transform((value) => Number.parseInt(value, 10) * (value.endsWith('ms') ? 1 : 1000))
    .refine((ms) => ms > 0, 'must be more than 0');

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const origin = httpUrl.transform((value) => new URL(value).origin);
const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const databaseUrlError = 'must look like postgresql://user:password@host:5432/name';
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: databaseUrlError });
/** Several hosts are separated by commas; one of them is the primary. */
const databaseUrls = z.string().refine(isDatabaseUrl, { error: databaseUrlError });

export const environmentSchema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
    .default('development'),
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535).default(4000),
  HOST: z.string().optional(),
  PUBLIC_URL: origin.optional(),
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(origin)).optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^(on|off|true|false|\d)$/, 'must be on, off, or the number of proxies in front')
    .default('off')
    .transform((value) => (/^\d$/.test(value) ? Number(value) : value === 'on' || value === 'true' ? 1 : 0)),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }).optional(),
  RATE_LIMIT: flag.default(true),
  DRAIN_SECONDS: z.coerce.number().min(0).max(5).default(1),
  UNPAID_ORDERS_PER_CUSTOMER: z.coerce.number().int().min(1).max(1_000_000).default(5),
  UNPAID_ORDERS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(20),
  BUSINESSES_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(200),
  BUSINESS_FOUNDERS: commaSeparated.pipe(z.array(z.email().toLowerCase())).optional(),
  SMS_PER_DAY: z.coerce.number().int().min(1).max(1_000_000_000).default(5_000),
  STORAGE_MB_PER_BUSINESS: z.coerce.number().int().min(1).max(1_000_000_000).default(20_000),
  RECORDS_PER_BUSINESS: z.coerce.number().int().min(1).max(1_000_000_000).default(1_000_000),
  UNPROVEN_MAILS_PER_DAY: z.coerce.number().int().min(1).max(1_000_000_000).default(1000),
  TRUSTED_BUSINESSES: z
    .literal('all')
    .or(commaSeparated.pipe(z.array(z.guid('must be all, or ids of businesses, separated by commas'))))
    .default([]),
  REQUEST_BUDGET: z.coerce.number().int().min(1).max(1_000_000_000).default(1_200_000),
  GUEST_NETWORK_BUDGETS: z.coerce.number().int().min(1).max(1_000_000).default(10),
  WORKERS: z
    .union([z.literal('auto'), z.coerce.number().int().min(1).max(64)], {
      error: 'must be auto or a number from 1 to 64',
    })
    .default(1),
  MAX_CONCURRENCY: z.coerce.number().int().min(1).max(100_000).default(256),
  OPERATION_TIMEOUT: seconds('10s'),
  DATABASE_URL: databaseUrls.optional(),
  DATABASE_DIRECT_URL: databaseUrls.optional(),
  DATABASE_REPLICA_URLS: commaSeparated
    .pipe(
      z.array(
        databaseUrl,
        'must be URLs such as postgresql://user:password@host:5432/name, separated by commas',
      ),
    )
    .default([]),
  REPLICA_MAX_LAG: seconds('5s'),
  DATABASE_SHARDS: databaseShardsSchema.default([]),
  SHARD_WEIGHTS: shardWeightsSchema.default({}),
  DATABASE_PREPARED: z
    .literal('auto')
    .or(flag.transform((isOn) => (isOn ? 'on' : 'off')))
    .default('auto'),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  FAST_PATH: flag.default(true),
  CACHE_MB: z.coerce.number().int().min(1).max(16_384).default(64),
  DATA_DIR: z.string().default('.data'),
  MEDIA_DIR: z.string().optional(),
  MEDIA_MAX_MB: z.coerce.number().min(0.001).max(1024).default(20),
  MEDIA_S3_ENDPOINT: httpUrl.optional(),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  MEDIA_S3_REGION: z.string().default('us-east-1'),
  MEDIA_S3_ACCESS_KEY: z.string().optional(),
  MEDIA_S3_SECRET_KEY: z.string().optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z.string().default('Duet <no-reply@localhost>'),
  SMS_WEBHOOK_URL: httpUrl.optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z.string().optional(),
  TWILIO_API_BASE: httpUrl.default('https://api.twilio.com'),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be in upper case, such as GOOGLE')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((value, ctx) => {
      const headers = parseHeadersVariable(value);
      if (headers) return headers;
      ctx.addIssue('must look like name=value,other=value, percent-encoded and without line breaks');
      return z.NEVER;
    })
    .default({}),
  OTEL_SERVICE_NAME: z.string().default('duet'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: origin.default('https://api.stripe.com'),
  CARD_PROVIDER_NAME: z.string().default('STRIPE'),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().default('gpt-4o-mini'),
  NEWSLETTER_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(10),
  NEWSLETTER_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(100),
  SUBSCRIPTION_GRACE: duration('7d'),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  EDGE_CACHE_SECONDS: z.coerce.number().int().min(0).max(3600).default(60),
  EDGE_CACHE_STALE_SECONDS: z.coerce.number().int().min(0).max(3600).default(30),
  CACHE_PURGE_URL: commaSeparated.pipe(z.array(httpUrl)).default([]),
  CACHE_PURGE_TOKEN: z.string().optional(),
  CACHE_PURGE_FORM: z.enum(['varnish', 'fastly', 'cloudflare']).default('varnish'),
  SEED_DEMO: flag.optional(),
  SANDBOX: z.enum(['allowed']).optional(),
  SIGNING_KEY: z.string().optional(),
  SECRETS_KEY: z
    .string()
    .transform((value, ctx) => {
      const keys = parseSecretsKeys(value);
      if (keys) return keys;
      // The message omits the value: it may contain most of a key.
      ctx.addIssue('must be 32 bytes in base64 or hex, or several such keys separated by commas');
      return z.NEVER;
    })
    .optional(),
  GRAPHQL_DOCUMENTS: z.enum(['any', 'trusted']).default('any'),
  TRUSTED_DOCUMENTS: z.string().optional(),
  // A key is valid for 24 hours: deleting it earlier would let a retry run twice.
  RETENTION_IDEMPOTENCY_KEYS: duration('24h').refine((seconds) => seconds >= 86_400, 'must be 24h or more'),
  RETENTION_GUESTS: duration('30d'),
  RETENTION_SECURITY_EVENTS: duration('400d'),
  RETENTION_PAYMENT_EVENTS: duration('400d'),
  RETENTION_WEBHOOKS: duration('30d'),
  RETENTION_NEWSLETTER_RECIPIENTS: duration('400d'),
  RETENTION_UNCONFIRMED_SUBSCRIPTIONS: duration('30d'),
  RETENTION_CHANGES: duration('400d'),
  RETENTION_CARTS: duration('30d'),
  RETENTION_USAGE: duration('90d'),
  RETENTION_REQUEST_LOG: duration('7d'),
  RETENTION_BULK: duration('7d'),
  RETENTION_MEDIA: duration('30d'),
  RETENTION_JOBS: duration('7d'),
  USAGE: flag.default(true),
  REQUEST_LOG: flag.default(true),
  METRICS_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65535).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ADMIN_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type EnvironmentVariables = z.output<typeof environmentSchema>;

/** Reads and checks the environment, once. Nothing else in the project reads `process.env`. */
import { z } from 'zod';
import { OperatorError } from './lib/operator-error.ts';

const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
const origin = httpUrl.transform((value) => new URL(value).origin);

/** Where frontends usually run while they are being written. */
const developmentOrigins = ['http://localhost:3000', 'http://localhost:5173'];

const environment = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535).default(4000),
  HOST: z.string().optional(),
  PUBLIC_URL: origin.optional(),
  ALLOWED_ORIGINS: z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin))
    .optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^(on|off|true|false|\d)$/, 'must be on, off, or the number of proxies in front')
    .default('off')
    .transform((value) => (/^\d$/.test(value) ? Number(value) : value === 'on' || value === 'true' ? 1 : 0)),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  RATE_LIMIT: flag.default(true),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgresql://user:password@host:5432/name' })
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  CACHE_MB: z.coerce.number().int().min(1).max(16_384).default(64),
  DATA_DIR: z.string().default('.data'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
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
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: origin.default('https://api.stripe.com'),
  CARD_PROVIDER_NAME: z.string().default('STRIPE'),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().default('gpt-4o-mini'),
  NEWSLETTER_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(10),
  NEWSLETTER_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(100),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  SEED_DEMO: flag.optional(),
  SANDBOX: z.enum(['allowed']).optional(),
  SIGNING_KEY: z.string().optional(),
  GRAPHQL_DOCUMENTS: z.enum(['any', 'trusted']).default('any'),
  TRUSTED_DOCUMENTS: z.string().optional(),
  METRICS_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65535).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

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
  databaseUrl: string | undefined;
  databasePool: number;
  /** Room for records and the texts made of them. */
  cacheBytes: number;
  dataDir: string;
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
  /** Webhooks may go to private and loopback addresses, and over plain http. */
  webhooks: Readonly<{ allowPrivate: boolean }>;
  seedDemo: boolean;
  signingKey: string | undefined;
  /** GraphQL documents that are not registered are refused. */
  trustedOnly: boolean;
  /** Folder of registered documents, beside the ones REST runs. */
  trustedDocuments: string | undefined;
  /** Undefined: nothing is counted. Without a port of its own it is served behind its token. */
  metrics: Readonly<{ port: number | undefined; token: string | undefined }> | undefined;
  logLevel: string;
}>;

/** Thrown with one line per bad variable, ready to be shown. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const e = result.data;
  const production = e.NODE_ENV === 'production';
  refuseEmbeddedParts(production && e.SANDBOX !== 'allowed', {
    DATABASE_URL: e.DATABASE_URL,
    SMTP_URL: e.SMTP_URL,
    STRIPE_SECRET_KEY: e.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: e.STRIPE_WEBHOOK_SECRET,
  });
  return {
    production,
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? `http://localhost:${e.PORT}`,
    allowedOrigins: e.ALLOWED_ORIGINS ?? (production ? [] : developmentOrigins),
    trustedProxies: e.TRUST_PROXY,
    redisUrl: e.REDIS_URL,
    rateLimit: e.RATE_LIMIT,
    databaseUrl: e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    cacheBytes: e.CACHE_MB * 1024 * 1024,
    dataDir: e.DATA_DIR,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    sms: smsConfig(e),
    oidc: oidcConfig(e),
    stripe: stripeOf(e.STRIPE_SECRET_KEY, e.STRIPE_WEBHOOK_SECRET, e.STRIPE_API_BASE),
    cardProviderName: e.CARD_PROVIDER_NAME,
    llm: e.LLM_BASE_URL ? { baseUrl: e.LLM_BASE_URL, apiKey: e.LLM_API_KEY, model: e.LLM_MODEL } : undefined,
    newsletter: { concurrency: e.NEWSLETTER_CONCURRENCY, perSecond: e.NEWSLETTER_PER_SECOND },
    webhooks: { allowPrivate: e.WEBHOOK_ALLOW_PRIVATE },
    seedDemo: e.SEED_DEMO ?? e.DATABASE_URL === undefined,
    signingKey: e.SIGNING_KEY,
    trustedOnly: e.GRAPHQL_DOCUMENTS === 'trusted',
    trustedDocuments: e.TRUSTED_DOCUMENTS,
    metrics: e.METRICS_PORT || e.METRICS_TOKEN ? { port: e.METRICS_PORT, token: e.METRICS_TOKEN } : undefined,
    logLevel: e.LOG_LEVEL,
  };
}

type Environment = z.output<typeof environment>;

function smsConfig(e: Environment): SmsConfig | undefined {
  if (e.SMS_WEBHOOK_URL) return { kind: 'webhook', url: e.SMS_WEBHOOK_URL };
  const group = together(e, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
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

function oidcConfig(e: Environment): OidcConfig | undefined {
  const group = together(e, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']);
  return (
    group && {
      issuer: group.OIDC_ISSUER,
      clientId: group.OIDC_CLIENT_ID,
      clientSecret: e.OIDC_CLIENT_SECRET,
      name: e.OIDC_NAME,
    }
  );
}

/** Variables that make sense only as a group: all of them, or none. */
function together<Name extends keyof Environment>(
  e: Environment,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => e[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => e[name] !== undefined);
    throw new ConfigError(`${set.join(', ')} is set, but ${missing.join(', ')} is missing.`);
  }
  return Object.fromEntries(names.map((name) => [name, e[name]])) as unknown as Record<Name, string>;
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

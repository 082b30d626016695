/** Reads and checks the environment, once. Nothing else in the project reads `process.env`. */
import { z } from 'zod';

const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
const origin = httpUrl.transform((value) => new URL(value).origin);

const environment = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin)),
  TRUST_PROXY: flag.default(false),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  DATA_DIR: z.string().default('.data'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().default('Duet <no-reply@localhost>'),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().default('gpt-4o-mini'),
  NEWSLETTER_CONCURRENCY: z.coerce.number().int().min(1).max(200).default(10),
  NEWSLETTER_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(100),
  SEED_DEMO: flag.optional(),
  SANDBOX: z.enum(['allowed']).optional(),
  SIGNING_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = Readonly<{
  production: boolean;
  port: number;
  host: string;
  /** The origin clients use to reach us; links in mails and pages start with it. */
  publicUrl: string;
  allowedOrigins: readonly string[];
  trustProxy: boolean;
  databaseUrl: string | undefined;
  databasePool: number;
  dataDir: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** A text model, or undefined for the built-in generator. */
  llm: Readonly<{ baseUrl: string; apiKey: string | undefined; model: string }> | undefined;
  /** Mails this process has under way at a time, and begins per second. */
  newsletter: Readonly<{ concurrency: number; perSecond: number }>;
  seedDemo: boolean;
  signingKey: string | undefined;
  logLevel: string;
}>;

/** Thrown with one line per bad variable, ready to be shown. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  const e = result.data;
  const production = e.NODE_ENV === 'production';
  refuseEmbeddedParts(production && e.SANDBOX !== 'allowed', {
    DATABASE_URL: e.DATABASE_URL,
    SMTP_URL: e.SMTP_URL,
  });
  return {
    production,
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? `http://localhost:${e.PORT}`,
    allowedOrigins: e.ALLOWED_ORIGINS,
    trustProxy: e.TRUST_PROXY,
    databaseUrl: e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    dataDir: e.DATA_DIR,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    llm: e.LLM_BASE_URL ? { baseUrl: e.LLM_BASE_URL, apiKey: e.LLM_API_KEY, model: e.LLM_MODEL } : undefined,
    newsletter: { concurrency: e.NEWSLETTER_CONCURRENCY, perSecond: e.NEWSLETTER_PER_SECOND },
    seedDemo: e.SEED_DEMO ?? e.DATABASE_URL === undefined,
    signingKey: e.SIGNING_KEY,
    logLevel: e.LOG_LEVEL,
  };
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

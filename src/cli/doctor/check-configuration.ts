/** Checks the configuration variables that need no connection. */
import { assertValidSigningKeyConfig } from '../../auth/gateway-keys.ts';
import { type Config, readConfig } from '../../config.ts';
import { listMisspeltVariables } from '../../find-misspelt-variables.ts';
import type { RawEnvironment } from '../command-types-and-usage-error.ts';
import { type DoctorFinding, noteFinding, okFinding, runDoctorCheck } from './create-and-format-findings.ts';

export async function checkConfiguration(config: Config, env: RawEnvironment): Promise<DoctorFinding[]> {
  const { signingKey } = config;
  const checkSigningKey = async () => {
    if (signingKey === undefined)
      return [okFinding('signing key', 'created once and stored in the database')];
    await assertValidSigningKeyConfig(signingKey);
    return [okFinding('signing key', 'SIGNING_KEY is valid')];
  };
  const checkVariables = async () => {
    readConfig(env);
    return [okFinding('configuration', `valid, for ${config.production ? 'production' : 'development'}`)];
  };
  const warnings = config.production ? listWarnings(config) : [];
  return [
    ...(await runDoctorCheck('configuration', checkVariables)),
    ...(await runDoctorCheck('signing key', checkSigningKey)),
    ...[...listMisspeltVariables(env), ...warnings].map((warning) => noteFinding('configuration', warning)),
  ];
}

/** Settings that are valid, but rarely intended in production. */
function listWarnings(config: Config): string[] {
  return [
    config.publicUrl.startsWith('http:') &&
      `PUBLIC_URL is ${config.publicUrl}: mail links use it. Set it to the https URL of the gateway.`,
    config.allowedOrigins.length === 0 &&
      'ALLOWED_ORIGINS is empty: mail links and sign-in may redirect only to PUBLIC_URL. Add your frontends.',
    config.trustedProxies === 0 &&
      'TRUST_PROXY is off: behind a load balancer all clients have one address and share its rate limits.',
    !config.rateLimit && 'RATE_LIMIT is off: passwords can be guessed without limit.',
    config.redisUrl === undefined && 'REDIS_URL is not set: each process counts its own rate limits.',
    config.webhooks.allowPrivate &&
      'WEBHOOK_ALLOW_PRIVATE is on: businesses can make this gateway send requests to its private network.',
    config.seedDemo && 'SEED_DEMO is on: the password of the demo account is public.',
  ].filter((line) => line !== false);
}

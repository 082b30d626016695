/** What the variables alone tell. */
import { assertSigningKey } from '../../auth/signing-keys.ts';
import type { Config } from '../../config.ts';
import { type DoctorFinding, noteFinding, okFinding, runDoctorCheck } from './finding.ts';

export async function checkConfiguration(config: Config): Promise<DoctorFinding[]> {
  const { signingKey } = config;
  const aboutKey = async () => {
    if (signingKey === undefined) return [okFinding('signing key', 'made once and kept in the database')];
    await assertSigningKey(signingKey);
    return [okFinding('signing key', 'SIGNING_KEY can sign')];
  };
  const advice = config.production ? advisable(config) : [];
  return [
    okFinding('configuration', `valid, for ${config.production ? 'production' : 'development'}`),
    ...(await runDoctorCheck('signing key', aboutKey)),
    ...advice.map((says) => noteFinding('configuration', says)),
  ];
}

/** What starts, but is seldom meant in production. */
function advisable(config: Config): string[] {
  return [
    config.publicUrl.startsWith('http:') &&
      `PUBLIC_URL is ${config.publicUrl}: links in mails go there. Set it to the https address clients use.`,
    config.allowedOrigins.length === 0 &&
      'ALLOWED_ORIGINS is empty: mail links and sign-in may only lead back to PUBLIC_URL. Name your frontends.',
    config.trustedProxies === 0 &&
      'TRUST_PROXY is off: behind a load balancer all callers share one address, and its rate limits.',
    !config.rateLimit && 'RATE_LIMIT is off: passwords may be tried without end.',
    config.redisUrl === undefined && 'REDIS_URL is not set: each process counts its own rate limits.',
    config.webhooks.allowPrivate &&
      'WEBHOOK_ALLOW_PRIVATE is on: businesses can make this machine call its neighbours.',
    config.seedDemo && 'SEED_DEMO is on: everybody knows the password of the demo account.',
  ].filter((line) => line !== false);
}

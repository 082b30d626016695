/** Configuration of external providers and workers: variables that must be set together. */
import { availableParallelism } from 'node:os';
import type { EnvironmentVariables } from './environment-schema.ts';
import { ConfigError, requireAllVariablesOrNone } from './lib/operator-errors.ts';
import type { S3Options } from './ports/media.ts';

export type SmsConfig =
  | { kind: 'webhook'; url: string }
  | { kind: 'twilio'; accountSid: string; authToken: string; from: string; apiBase: string };

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Alias of the provider value `OAUTH_IDP` in requests. */
  name: string | undefined;
}

export function readSmsConfig(e: EnvironmentVariables): SmsConfig | undefined {
  if (e.SMS_WEBHOOK_URL) return { kind: 'webhook', url: e.SMS_WEBHOOK_URL };
  const group = requireAllVariablesOrNone(e, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']);
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

/** `auto` is 1 with the embedded database, which belongs to one process. */
export function readWorkers({ WORKERS, DATABASE_URL }: EnvironmentVariables): number {
  if (WORKERS === 'auto') return DATABASE_URL === undefined ? 1 : availableParallelism();
  if (WORKERS > 1 && DATABASE_URL === undefined)
    throw new ConfigError(
      'WORKERS: the embedded database belongs to one process. For several workers set DATABASE_URL.',
    );
  return WORKERS;
}

export function readS3Config(e: EnvironmentVariables): S3Options | undefined {
  const group = requireAllVariablesOrNone(e, [
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

export function readOidcConfig(e: EnvironmentVariables): OidcConfig | undefined {
  const group = requireAllVariablesOrNone(e, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']);
  return (
    group && {
      issuer: group.OIDC_ISSUER,
      clientId: group.OIDC_CLIENT_ID,
      clientSecret: e.OIDC_CLIENT_SECRET,
      name: e.OIDC_NAME,
    }
  );
}

/** Without the webhook secret, payments would be taken and never recorded. */
export function readStripeConfig({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_BASE: apiBase,
}: EnvironmentVariables) {
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined) {
    throw new ConfigError('Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.');
  }
  return { secretKey, webhookSecret, apiBase };
}

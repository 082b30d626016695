/** Webhook rules: URL validation, secrets, signatures and retry delays. Pure. */
import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { DetailCode } from '../../detail-codes.ts';
import { isPublicIpAddress } from '../../lib/net/ip-addresses.ts';

export const maxWebhookUrlLength = 2000;

/** Returns why a URL cannot be registered. The addresses of a host name are checked again at every delivery. */
export function findWebhookUrlError(
  text: string,
  allowPrivate: boolean,
): { error: DetailCode; message: string } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return { error: 'INVALID_URL', message: 'Must be an https address.' };
  if (url.username !== '' || url.password !== '')
    return { error: 'INVALID_URL', message: 'Must not contain a user name or password.' };
  if (text.includes('#')) return { error: 'INVALID_URL', message: 'Must not contain a fragment.' };
  if (allowPrivate) return undefined;
  if (isPrivateHost(url.hostname))
    return {
      error: 'PRIVATE_ADDRESS',
      message: 'Must be an address on the public internet, unless the gateway has WEBHOOK_ALLOW_PRIVATE=on.',
    };
  if (url.protocol !== 'https:') return { error: 'HTTPS_REQUIRED', message: 'Must be an https address.' };
  return undefined;
}

/** `new URL` has normalised all spellings of an IPv4 address, such as 0x7f.1. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) ? !isPublicIpAddress(host) : /^(?:.+\.)?localhost$/.test(host);
}

export const webhookSecretPrefix = 'whsec_';
const secretBytes = 32;

export const createWebhookSecret = (): string =>
  webhookSecretPrefix + randomBytes(secretBytes).toString('base64');

export const maskWebhookSecret = (secret: string): string =>
  `${webhookSecretPrefix}****${secret.slice(-5, -1)}`;

/** Time after a rotation during which the old secret also signs. */
export const oldWebhookSecretValidSeconds = 24 * 3600;

/** Value of the `webhook-signature` header by the Standard Webhooks specification: one signature per secret. */
export const signWebhook = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');

const minute = 60;
const hour = 3600;

/** Delay in seconds after the first, second, ... failed attempt: eleven attempts within about a day. */
const retryDelays = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
];
const maxRequestedDelay = 12 * hour;

/** Delay in seconds until the next attempt; undefined after the last one. ±10 % jitter spreads the load on a recovering receiver. */
export function computeWebhookRetryDelaySeconds(
  attempts: number,
  requested: number | undefined,
  random = Math.random(),
): number | undefined {
  const delay = retryDelays[attempts - 1];
  if (delay === undefined) return undefined;
  const minDelay = Math.min(requested ?? 0, maxRequestedDelay);
  return Math.max(Math.round(delay * (0.9 + random / 5)), minDelay);
}

/** Seconds of a `Retry-After` header, which is honoured for status 429 and 503 only. */
export function parseRetryAfterSeconds(
  { status, retryAfter }: { status: number; retryAfter?: string | undefined },
  nowMs: number,
): number | undefined {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - nowMs) / 1000);
  return seconds > 0 ? seconds : undefined;
}

const excerptLength = 500;

/** First 500 characters of untrusted text, with control characters removed. */
export const toPrintableExcerpt = (text: string): string =>
  [...text.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, excerptLength).join('');

/** Undefined for a successful status. */
export function describeWebhookStatusError(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400
    ? `Response status ${status}; redirects are not followed.`
    : `Response status ${status}.`;
}

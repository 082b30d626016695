/** Rules of webhooks without any I/O: addresses, secrets, signatures, back-off. */

import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { DetailCode } from '../../detail-codes.ts';
import { isPublicIpAddress } from '../../lib/net/ip-addresses.ts';

export const maxEndpointUrlLength = 2000;

/** Why an address cannot be registered. What a name leads to is checked again whenever something is sent. */
export function findEndpointUrlError(
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
    return { error: 'PRIVATE_ADDRESS', message: 'Must be an address on the public internet.' };
  if (url.protocol !== 'https:') return { error: 'HTTPS_REQUIRED', message: 'Must be an https address.' };
  return undefined;
}

/** `new URL` has already put every odd spelling of an IPv4 address into its usual form. */
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

/** How long the old secret goes on signing after a rotation. */
export const secretRotationSeconds = 24 * 3600;

/** The `webhook-signature` header of the Standard Webhooks specification: one signature per secret. */
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

/** Seconds to wait after the first, second, ... failed attempt: eleven attempts within a day. */
const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour, 10 * hour];
const longestRequestedPause = 12 * hour;

/** Undefined when that was the last attempt. Not the same for everybody, so that a receiver can get up again. */
export function computeDeliveryRetryDelay(
  attempts: number,
  requested: number | undefined,
  random = Math.random(),
): number | undefined {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return undefined;
  const asked = Math.min(requested ?? 0, longestRequestedPause);
  return Math.max(Math.round(pause * (0.9 + random / 5)), asked);
}

/** Seconds named by `Retry-After`, which counts for 429 and 503 only. */
export function parseRetryAfter(
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

/** The beginning of a text that others wrote, fit to be stored and shown. */
export const toExcerpt = (text: string): string =>
  [...text.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, excerptLength).join('');

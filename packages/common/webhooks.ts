/** Verifies signatures of webhook requests (standardwebhooks.com). */
import type { WebhookMessage } from './generated/events.ts';

export type { WebhookMessage, WebhookType } from './generated/events.ts';

/** An event of a type that this version of the client lacks, or with a custom payload type. */
export interface WebhookEvent<Data = unknown> {
  type: string;
  timestamp: string;
  data: Data;
}

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

type AnyHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

/** Parses `body`, the unchanged request text. Throws a WebhookError if the signature is invalid or the request is older than five minutes. */
export function verifyWebhook(secret: string, headers: AnyHeaders, body: string): Promise<WebhookMessage>;
export function verifyWebhook<Data>(
  secret: string,
  headers: AnyHeaders,
  body: string,
): Promise<WebhookEvent<Data>>;
export async function verifyWebhook(secret: string, headers: AnyHeaders, body: string): Promise<unknown> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds) || timestamp === '')
    throw new WebhookError('The timestamp of the webhook is missing, or more than five minutes from now.');
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of header('webhook-signature').split(' ')) {
    const [version, value = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed)))
      return JSON.parse(body);
  }
  throw new WebhookError('The signature of the webhook is invalid.');
}

const toleranceSeconds = 300;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

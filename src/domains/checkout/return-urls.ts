/** Where a customer goes after paying or giving up: only to origins the deployment has named. */
import type { Config } from '../../config.ts';
import { type ErrorDetail, invalid } from '../../errors.ts';

export interface ReturnUrls {
  returnUrl: string;
  cancelUrl: string;
}

export const thanksPath = '/checkout/thanks';
export const cancelledPath = '/checkout/cancelled';

export function returnUrls(
  { allowedOrigins, publicUrl }: Pick<Config, 'allowedOrigins' | 'publicUrl'>,
  sent: { returnUrl?: string | undefined; cancelUrl?: string | undefined },
): ReturnUrls {
  const allowed = new Set([...allowedOrigins, new URL(publicUrl).origin]);
  const faults: ErrorDetail[] = [];
  const check = (field: 'returnUrl' | 'cancelUrl', fallback: string): string => {
    const given = sent[field];
    if (given === undefined) return `${publicUrl}${fallback}`;
    if (!isAllowed(given, allowed)) {
      faults.push({
        field,
        error: 'INVALID_RETURN_URL',
        message: 'This address is not on an allowed origin.',
      });
    }
    return given;
  };
  const urls = { returnUrl: check('returnUrl', thanksPath), cancelUrl: check('cancelUrl', cancelledPath) };
  if (faults.length > 0) throw invalid(...faults);
  return urls;
}

function isAllowed(text: string, allowed: ReadonlySet<string>): boolean {
  const url = parseUrl(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    allowed.has(url.origin)
  );
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Clients find out which order they come back from. */
export function withOrderId(address: string, orderId: string): string {
  const url = new URL(address);
  url.searchParams.set('orderId', orderId);
  return url.href;
}

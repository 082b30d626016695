/** Redirect URLs after a completed or abandoned payment, restricted to the configured origins. */
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import {
  type AllowedOriginConfig,
  parseUrlOnAllowedOrigin,
} from '../../lib/net/parse-url-on-allowed-origin.ts';

export interface PaymentReturnUrls {
  returnUrl: string;
  cancelUrl: string;
}

export const checkoutThanksPath = '/checkout/thanks';
export const checkoutCancelledPath = '/checkout/cancelled';

export function resolvePaymentReturnUrls(
  config: AllowedOriginConfig,
  input: { returnUrl?: string | undefined; cancelUrl?: string | undefined },
): PaymentReturnUrls {
  const errors: ErrorDetail[] = [];
  const check = (field: 'returnUrl' | 'cancelUrl', fallback: string): string => {
    const url = input[field];
    if (url === undefined) return `${config.publicUrl}${fallback}`;
    const allowed = parseUrlOnAllowedOrigin(config, url);
    if (allowed) return allowed.href;
    errors.push({
      field,
      error: 'INVALID_RETURN_URL',
      message: 'This URL is not on the allow list (ALLOWED_ORIGINS).',
    });
    return url;
  };
  const urls = {
    returnUrl: check('returnUrl', checkoutThanksPath),
    cancelUrl: check('cancelUrl', checkoutCancelledPath),
  };
  if (errors.length > 0) throw validationErrorFrom(errors);
  return urls;
}

/** Adds the order or subscription id to the query of both URLs, which are normalised. */
export function addSubjectToReturnUrls(
  { returnUrl, cancelUrl }: PaymentReturnUrls,
  key: 'orderId' | 'subscriptionId',
  id: string,
): PaymentReturnUrls {
  const addId = (address: string) => {
    if (!/[?#]/.test(address)) return `${address}?${key}=${id}`;
    const url = new URL(address);
    url.searchParams.set(key, id);
    return url.href;
  };
  return { returnUrl: addId(returnUrl), cancelUrl: addId(cancelUrl) };
}

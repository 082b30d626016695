/** Where a customer goes after paying or giving up: only to origins the deployment has named. */
import { type ErrorDetail, validationError } from '../../errors.ts';
import { type AllowedOriginConfig, parseAllowedUrl } from '../../lib/net/allowed-urls.ts';

export interface ReturnUrls {
  returnUrl: string;
  cancelUrl: string;
}

export const checkoutThanksPath = '/checkout/thanks';
export const checkoutCancelledPath = '/checkout/cancelled';

export function requireReturnUrls(
  config: AllowedOriginConfig,
  sent: { returnUrl?: string | undefined; cancelUrl?: string | undefined },
): ReturnUrls {
  const faults: ErrorDetail[] = [];
  const check = (field: 'returnUrl' | 'cancelUrl', fallback: string): string => {
    const given = sent[field];
    if (given === undefined) return `${config.publicUrl}${fallback}`;
    if (!parseAllowedUrl(config, given)) {
      faults.push({
        field,
        error: 'INVALID_RETURN_URL',
        message: 'This address is not on an allowed origin.',
      });
    }
    return given;
  };
  const urls = {
    returnUrl: check('returnUrl', checkoutThanksPath),
    cancelUrl: check('cancelUrl', checkoutCancelledPath),
  };
  if (faults.length > 0) throw validationError(...faults);
  return urls;
}

/** Clients find out which order, or which subscription, they come back from. */
export function addSubjectToReturnUrls(
  { returnUrl, cancelUrl }: ReturnUrls,
  key: 'orderId' | 'subscriptionId',
  id: string,
): ReturnUrls {
  const named = (address: string) => {
    const url = new URL(address);
    url.searchParams.set(key, id);
    return url.href;
  };
  return { returnUrl: named(returnUrl), cancelUrl: named(cancelUrl) };
}

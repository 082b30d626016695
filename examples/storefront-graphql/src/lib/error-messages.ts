/** Error messages for visitors, by the error codes and detail codes of the gateway. */
import {
  DuetError,
  type ErrorCode,
  type ErrorDetail,
  type ErrorDetailCode,
} from '@duet-gateway/client-graphql';

const detailMessages: Partial<Record<ErrorDetailCode, string>> = {
  ADDRESS_INCOMPLETE: 'This address is incomplete for its country.',
  ADDRESS_NOT_FOUND: 'You no longer have this address.',
  EMAIL_EXISTS: 'There is an account with this email already. Sign in instead.',
  INVALID_EMAIL: 'This is not an email address.',
  INVALID_FORMAT: 'This does not match the format of the country.',
  INVALID_TOKEN: 'This link was used already, or is too old.',
  MARKET_NOT_FOUND: 'We do not sell there.',
  NOTHING_DUE: 'This is paid already.',
  NOT_CONFIRMED: 'Confirm your email address first: the link is in your mail.',
  ORDER_EXPIRED: 'This order has waited too long for its payment. Please order again.',
  OUT_OF_STOCK: 'There are not that many left.',
  PASSWORD_REQUIRED: 'Choose a password.',
  PASSWORD_WEAK: 'This password is too easy to guess. A few words of your own make a good one.',
  PASSWORD_WRONG: 'The email address or the password is wrong.',
  PAYMENT_REFUSED: 'The payment could not be started. Nothing was charged.',
  PRICE_NOT_AVAILABLE: 'We do not sell this there.',
  PRODUCT_NOT_FOUND: 'We no longer sell this.',
  PROMO_CODE_EXHAUSTED: 'This code has been used up.',
  PROMO_CODE_EXPIRED: 'This code is no longer valid.',
  PROMO_CODE_INVALID: 'There is no such code.',
  PROMO_CODE_MINIMUM_NOT_MET: 'This code needs a larger order.',
  REQUIRED: 'This field is required.',
  SHIPPING_METHOD_NOT_FOUND: 'We cannot ship this way there.',
  SHIPPING_METHOD_REQUIRED: 'Choose how we should ship.',
  TOO_BIG: 'This is too much.',
  TOO_LONG: 'This is too long.',
  TOO_SHORT: 'This is too short.',
  TOO_SMALL: 'This is too little.',
  VARIANT_NOT_FOUND: 'We no longer sell this.',
};

const codeMessages: Partial<Record<ErrorCode, string>> = {
  CONFLICT: 'Someone else changed this at the same time. Please try again.',
  FORBIDDEN: 'You do not have access to this.',
  NOT_FOUND: 'This does not exist.',
  RATE_LIMITED: 'Too many requests. Please wait a moment and try again.',
  TIMEOUT: 'The shop is busy. Please try again.',
  UNAUTHENTICATED: 'You have been signed out. Please sign in again.',
  UNAVAILABLE: 'The shop is not available at the moment. Please try again.',
};

export const detailMessage = ({ error, message }: Pick<ErrorDetail, 'error' | 'message'>): string =>
  detailMessages[error] ?? message;

/** One sentence per error. */
export function errorMessages(error: unknown): string[] {
  if (!(error instanceof DuetError)) return ['The shop cannot be reached. Are you online?'];
  const messages = error.details.map(detailMessage);
  if (messages.length > 0) return [...new Set(messages)];
  return [codeMessages[error.code] ?? `Something went wrong on our side (${error.requestId ?? error.code}).`];
}

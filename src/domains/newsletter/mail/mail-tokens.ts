/** Tokens in mails: subscription id plus HMAC-SHA256 over purpose, business and subscription. They never expire. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const macBytes = 16;
const idBytes = 16;

type Purpose = 'unsubscribe' | 'confirm-subscription';

export const createUnsubscribeToken = (
  secret: Uint8Array,
  businessId: string,
  subscriptionId: string,
): string => sign('unsubscribe', secret, businessId, subscriptionId);

export const createSubscriptionConfirmToken = (
  secret: Uint8Array,
  businessId: string,
  subscriptionId: string,
): string => sign('confirm-subscription', secret, businessId, subscriptionId);

function sign(purpose: Purpose, secret: Uint8Array, businessId: string, subscriptionId: string): string {
  const id = Buffer.from(subscriptionId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, mac(purpose, secret, businessId, subscriptionId)]).toString('base64url');
}

/** Returns the subscription id of a token; undefined when the signature is wrong or the token is for another business. */
export const readUnsubscribeToken = (
  secret: Uint8Array,
  businessId: string,
  token: string,
): string | undefined => read('unsubscribe', secret, businessId, token);

export const readSubscriptionConfirmToken = (
  secret: Uint8Array,
  businessId: string,
  token: string,
): string | undefined => read('confirm-subscription', secret, businessId, token);

function read(purpose: Purpose, secret: Uint8Array, businessId: string, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idBytes + macBytes) return undefined;
  const hex = bytes.subarray(0, idBytes).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return timingSafeEqual(bytes.subarray(idBytes), mac(purpose, secret, businessId, id)) ? id : undefined;
}

const mac = (purpose: Purpose, secret: Uint8Array, businessId: string, subscriptionId: string) =>
  createHmac('sha256', secret)
    .update(`${purpose}\n${businessId.toLowerCase()}\n${subscriptionId.toLowerCase()}`)
    .digest()
    .subarray(0, macBytes);

export const buildUnsubscribeUrl = (publicUrl: string, businessId: string, token: string): string =>
  `${publicUrl}/v1/businesses/${businessId}/collections/unsubscribe?token=${token}`;

export const buildSubscriptionConfirmUrl = (publicUrl: string, businessId: string, token: string): string =>
  `${publicUrl}/v1/businesses/${businessId}/subscriptions/confirm?token=${token}`;

export const buildResubscribeUrl = (publicUrl: string, businessId: string, token: string): string =>
  `${publicUrl}/v1/businesses/${businessId}/subscriptions/resubscribe?token=${token}`;

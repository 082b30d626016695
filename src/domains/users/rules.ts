/** What emails, phone numbers, passwords and keys look like. */
import { domainToASCII } from 'node:url';
import { isCommonPassword } from './passwords/common-passwords.ts';

const maxEmail = 254;
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** One spelling for one mailbox: lower case, NFC, and the domain as DNS knows it. Undefined when it is no address. */
export function normaliseEmail(value: string): string | undefined {
  if (value.length > 4 * maxEmail) return undefined;
  const email = value.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const host = domainToASCII(email.slice(at + 1));
  const isValid = at > 0 && Buffer.byteLength(local) <= 64 && localPart.test(local) && domain.test(host);
  const normal = `${local}@${host}`;
  return isValid && normal.length <= maxEmail ? normal : undefined;
}

/** International form: a plus and 7 to 15 digits. People write spaces, dots, dashes and brackets between them. */
export function normalisePhone(value: string): string | undefined {
  if (value.length > 40) return undefined;
  const digits = value.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+?[1-9]\d{6,14}$/.test(digits) ? `+${digits.replace('+', '')}` : undefined;
}

const minPassword = 10;
export const maxPasswordLength = 200;

/** Why a password will not do; undefined when it will. */
export function passwordWeakness(password: string, hints: readonly string[] = []): string | undefined {
  // Whatever is longer than this is too long by any count.
  const length = password.length > 2 * maxPasswordLength ? maxPasswordLength + 1 : [...password].length;
  if (length < minPassword) return `Must have at least ${minPassword} characters.`;
  if (length > maxPasswordLength) return `Must have at most ${maxPasswordLength} characters.`;
  if (isCommonPassword(password, hints))
    return 'This password is too common: choose one that nobody would guess.';
  return undefined;
}

/** What a guesser knows of a person: the address, its parts, and the site that the account is for. */
export function passwordHints(email: string | null | undefined, site?: string): string[] {
  const at = email?.lastIndexOf('@') ?? 0;
  const own = email ? [email, email.slice(0, at), ...labelsOf(email.slice(at + 1))] : [];
  return [
    'duet',
    ...own,
    ...(site !== undefined && URL.canParse(site) ? labelsOf(new URL(site).hostname) : []),
  ];
}

const labelsOf = (host: string) => host.split('.').flatMap((label) => [label, ...label.split('-')]);

export const minApiKeyLength = 24;

/** How a key is shown after it was made. */
export const maskApiKey = (lastFour: string) => `****${lastFour}`;

/** A value that was read, not chosen. */
export const isMaskedApiKey = (value: string) => value.startsWith('****');

/** Names end up in mails and pages: one line, no control characters. */
export const cleanPersonName = (value: string) => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Pure rules for email addresses, phone numbers, passwords, API keys and names. */
import { domainToASCII } from 'node:url';
import { isCommonPassword } from './passwords/detect-common-passwords.ts';

const maxEmail = 254;
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** `domainToASCII` drops line breaks, decodes percent signs, and takes only the host of a URL. */
const urlSyntax = /[\p{C}\s%/\\?#]/u;
const domain =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Canonical form of an email address: lower case, NFC, domain in ASCII (punycode). Undefined when the value is not an address. */
export function parseEmail(value: string): string | undefined {
  if (value.length > 4 * maxEmail) return undefined;
  const email = value.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const atSign = email.lastIndexOf('@');
  const local = email.slice(0, atSign);
  const unicodeHost = email.slice(atSign + 1);
  const host = domainToASCII(unicodeHost);
  const isValid =
    atSign > 0 &&
    !urlSyntax.test(unicodeHost) &&
    Buffer.byteLength(local) <= 64 &&
    localPart.test(local) &&
    domain.test(host);
  const normal = `${local}@${host}`;
  return isValid && normal.length <= maxEmail ? normal : undefined;
}

/** International form: `+` and 7 to 15 digits. Spaces, dots, dashes, slashes and brackets are removed. Undefined when invalid. */
export function normalizePhone(value: string): string | undefined {
  if (value.length > 40) return undefined;
  const digits = value.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+?[1-9]\d{6,14}$/.test(digits) ? `+${digits.replace('+', '')}` : undefined;
}

const minPassword = 10;
export const maxPasswordLength = 200;

/** Reason why a password is rejected; undefined when it is accepted. */
export function findPasswordWeakness(password: string, hints: readonly string[] = []): string | undefined {
  // Above this number of UTF-16 units the password has more than the allowed characters anyway, so counting is skipped.
  const length = password.length > 2 * maxPasswordLength ? maxPasswordLength + 1 : [...password].length;
  if (length < minPassword) return `Must have at least ${minPassword} characters.`;
  if (length > maxPasswordLength) return `Must have at most ${maxPasswordLength} characters.`;
  if (isCommonPassword(password, hints))
    return 'This password is too common: choose one that is hard to guess.';
  return undefined;
}

/** Words that an attacker can derive from the account: the email address, its parts, and the host name of the site. */
export function deriveGuessablePasswordWords(email: string | null | undefined, site?: string): string[] {
  const atSign = email?.lastIndexOf('@') ?? 0;
  const emailParts = email ? [email, email.slice(0, atSign), ...labelsOf(email.slice(atSign + 1))] : [];
  return [
    'duet',
    ...emailParts,
    ...(site !== undefined && URL.canParse(site) ? labelsOf(new URL(site).hostname) : []),
  ];
}

const labelsOf = (host: string) => host.split('.').flatMap((label) => [label, ...label.split('-')]);

export const minApiKeyLength = 24;

/** Masked form of an API key: four asterisks and its last four characters. */
export const formatMaskedApiKey = (lastFour: string) => `****${lastFour}`;

/** Whether the value is a masked API key that a client read from the API, rather than a new secret. */
export const isMaskedApiKey = (value: string) => value.startsWith('****');

/** Names are printed in mails and pages: line breaks and control characters become a space. */
export const cleanPersonName = (value: string) => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

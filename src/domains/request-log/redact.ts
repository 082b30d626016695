/** Removes secrets and personal data from what the request log stores. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';

export const redactedPlaceholder = '[redacted]';

/** Fields whose values are secrets or personal data, in camel case, snake case or kebab case. */
const sensitiveName =
  /pass(?:word|phrase|wd)|secret|token|api[-_]?key|authorization|cookie|signature|credential|e[-_]?mail|phone|(?:first|last|full|display|recipient|billing|card|customer|user)[-_]?name|street|address|birth|iban|(?:^|[-_])(?:otp|pin|cvc|cvv|zip|city|postcode|postal[-_]?code|recipient|vat[-_]?id|jwt|auth|sig|company|contact)$/i;

// Bounded repetitions: the time for a text of an attacker stays linear.
const email = /[^\s@%"'<>()[\]{},;:=&?/]{1,64}(?:@|%40)[^\s@%"'<>()[\]{},;:=&?/]{1,190}\.[a-z]{2,}/gi;
/** Longer than an id: access tokens, API keys, tokens of links, session ids. */
const longToken = /[\w~+%=-][\w.~+%=-]{35,}[\w~+%=-]/g;
const bearer = /\b(?:bearer|basic)\s+\S+/gi;
const phone = /\+\d[\d ()/.-]{6,}\d/g;
/** Literal of an argument in a GraphQL document, such as `password: "…"`. */
const literal = /\b(\w{1,100})(\s{0,9}:\s{0,9})("""[\s\S]*?"""|"(?:\\.|[^"\\])*")/g;

export const isSensitiveName = (name: string): boolean => sensitiveName.test(name);

/** Text without email addresses, phone numbers, tokens and keys, at most `max` characters. PostgreSQL stores neither NUL nor half a surrogate pair. */
export const redactText = (text: string, max = 500): string =>
  // A word that is cut could be the beginning of a token, too short to be recognised.
  (text.length > max ? `${text.slice(0, max).replace(lastWord, '')}…` : text)
    .replace(bearer, redactedPlaceholder)
    .replace(email, redactedPlaceholder)
    .replace(phone, redactedPlaceholder)
    .replace(longToken, redactedPlaceholder)
    .replace(unstorable, '');

const unstorable = /\0|\p{Surrogate}/gu;
const lastWord = /[^\s/,;]{1,2000}$/;

/** Path with query: segments and values that may be secrets are replaced. */
export function redactUrl(path: string, query: string): string {
  const segments = path.slice(0, maxUrl).split('/').map(redactSegment).join('/');
  if (query === '') return segments;
  const params = [...new URLSearchParams(query.slice(0, maxUrl))].map(([name, value]) => {
    const safeName = redactText(name, 100);
    const safeValue = isSensitiveName(name) ? redactedPlaceholder : redactText(value);
    return `${encodeValue(safeName)}=${encodeValue(safeValue)}`;
  });
  return `${segments}?${params.join('&')}`;
}

const maxUrl = 2000;

function redactSegment(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return redactText(text) === text ? segment : redactedPlaceholder;
  } catch {
    return redactedPlaceholder;
  }
}

const encodeValue = (value: string) =>
  value === redactedPlaceholder
    ? redactedPlaceholder
    : encodeURIComponent(value).replaceAll('%5Bredacted%5D', redactedPlaceholder);

const maxDepth = 12;
const maxItems = 100;

/** JSON value: sensitive fields are replaced as a whole, texts in part. */
export function redactJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, 2000);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= maxDepth) return '[omitted]';
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => redactJson(item, depth + 1));
  if (!isPlainObject(value)) return '[omitted]';
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([name, field]) => [
        redactText(name, 100),
        isSensitiveName(name) ? redactedPlaceholder : redactJson(field, depth + 1),
      ]),
  );
}

/** Documents that may have a password or token in any of their variables. */
const signInWords = /login|register|refresh|password|secret|token/i;

/** GraphQL document with redacted literals; undefined if any of its variables may be a secret. */
export function redactDocument(source: string): string | undefined {
  if (source.length > maxDocument) return undefined;
  // Only literals are replaced, not objects and lists.
  for (const [, name = ''] of source.matchAll(inputOpening)) if (isSensitiveName(name)) return undefined;
  const safe = source
    .replace(literal, (whole, name: string, separator: string) =>
      isSensitiveName(name) ? `${name}${separator}"${redactedPlaceholder}"` : whole,
    )
    .replace(email, redactedPlaceholder)
    .replace(phone, redactedPlaceholder)
    .replace(longLiteral, `"${redactedPlaceholder}"`)
    .replace(unstorable, '');
  return signInWords.test(safe) ? undefined : safe;
}

const inputOpening = /\b(\w{1,100})\s{0,9}:\s{0,9}[[{]/g;
const maxDocument = 8000;
const longLiteral = /"[\w.~+/=-]{37,}"/g;

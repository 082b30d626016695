/**
 * Builds the log entry of a request: removes secrets and personal data from path and body, and reads the error from the response that the
 * client received.
 */
import { newId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { now } from '../../lib/time.ts';
import type {
  LoggedHttpRequest,
  LoggedRequestFacts,
  LoggedResult,
  LoggedUser,
  OperationToLog,
} from '../../ports/request-log.ts';
import type { LoggedErrorDetail, StoredRequest } from './model.ts';

/** A finished request, with what must be read before its buffers are released. */
export interface FinishedRequest {
  request: Pick<LoggedHttpRequest, 'method' | 'path' | 'query' | 'header'>;
  facts: Pick<LoggedRequestFacts, 'requestId' | 'protocol' | 'clientName'>;
  user: LoggedUser | undefined;
  operation: Pick<OperationToLog, 'name' | 'kind'> | undefined;
  result: LoggedResult;
  code: string | undefined;
  ms: number;
  /** Parsed body; undefined if bodies are not recorded. */
  body: unknown;
}

const maxBodyChars = 16_000;
const maxDetails = 20;

export function buildLogEntry(
  finished: FinishedRequest,
  businessId: string,
): Omit<StoredRequest, 'isMember'> {
  const { request, facts, user, operation, result, code, ms } = finished;
  const isGraphql = facts.protocol === 'graphql';
  const error = code === undefined ? undefined : readError(result.response.body, isGraphql);
  return {
    id: newId(),
    businessId: businessId.toLowerCase(),
    requestId: redactText(facts.requestId, 200),
    protocol: isGraphql ? 'GRAPHQL' : 'REST',
    method: request.method,
    operation: isGraphql
      ? redactText(operation?.name ?? '', 100) || 'anonymous'
      : (routeName(result.route) ?? 'other'),
    path: redactUrl(request.path, request.query),
    isWrite: isGraphql
      ? operation?.kind === 'mutation'
      : request.method !== 'GET' && request.method !== 'HEAD',
    status: result.response.status,
    code: error?.code ?? code,
    message: error?.message,
    details: error?.details.length ? error.details : undefined,
    durationMs: Math.round(ms * 100) / 100,
    caller: callerOf(user),
    userId: user?.userId,
    keyId: user?.keyId,
    clientName: facts.clientName === undefined ? undefined : redactText(facts.clientName),
    apiVersion: isGraphql ? undefined : request.header('x-duet-version')?.slice(0, 20),
    body: finished.body === undefined ? undefined : redactBody(finished.body, isGraphql),
    createdAt: now(),
  };
}

const callerOf = (user: LoggedUser | undefined): StoredRequest['caller'] =>
  !user ? 'ANONYMOUS' : user.keyId !== undefined ? 'API_KEY' : user.isGuest ? 'GUEST' : 'USER';

/** `GET /v1/orders/:id` as the usage statistics and the contract write it: `GET /v1/orders/{id}`. */
const routeName = (route: string | undefined) => route?.replace(/:(\w+)/g, '{$1}');

/** Undefined for a body that is too long or may contain a password. */
function redactBody(body: unknown, isGraphql: boolean): unknown {
  if (!isPlainObject(body)) return undefined;
  const { query, ...params } = body;
  const document = isGraphql && typeof query === 'string' ? redactDocument(query) : undefined;
  if (isGraphql && typeof query === 'string' && document === undefined) return undefined;
  const safe = isGraphql
    ? { ...(document === undefined ? {} : { query: document }), ...toRecord(redactJson(params)) }
    : redactJson(body);
  return JSON.stringify(safe).length > maxBodyChars ? undefined : safe;
}

const toRecord = (value: unknown) => (isPlainObject(value) ? value : {});

interface ResponseError {
  code: string | undefined;
  message: string | undefined;
  details: LoggedErrorDetail[];
}

const maxResponseChars = 64_000;

/** Error of a response body, in the format of its protocol; undefined if the body is no error. */
function readError(body: unknown, isGraphql: boolean): ResponseError | undefined {
  if (typeof body !== 'string' || body.length > maxResponseChars) return undefined;
  const json = parseJsonOrUndefined(body);
  if (!isPlainObject(json)) return undefined;
  if (!isGraphql) return toError(json.error, json.message, json.details);
  const errors = Array.isArray(json.errors) ? json.errors.filter(isPlainObject) : [];
  const [first, ...others] = errors.map(({ message, path, extensions }) => {
    const { code, details } = toRecord(extensions);
    return { ...toError(code, message, details), path: Array.isArray(path) ? path.join('.') : '' };
  });
  if (!first) return undefined;
  const { path, ...error } = first;
  const more = others.map(({ path: field, code, message }) => ({
    field,
    error: code ?? '',
    message: message ?? '',
  }));
  return { ...error, details: [...error.details, ...more].slice(0, maxDetails) };
}

const toError = (code: unknown, message: unknown, details: unknown): ResponseError => ({
  code: typeof code === 'string' ? code.slice(0, 60) : undefined,
  message: typeof message === 'string' ? redactText(message) : undefined,
  details: (Array.isArray(details) ? details : [])
    .filter(isPlainObject)
    .slice(0, maxDetails)
    .map(({ field, error, message: text }) => ({
      field: redactText(String(field ?? ''), 200),
      error: String(error ?? '').slice(0, 60),
      message: redactText(String(text ?? '')),
    })),
});

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

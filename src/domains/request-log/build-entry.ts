/** Builds the log entry of a request: redacts path and body, and reads the error from the response that the client received. */
import { newId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { now } from '../../lib/time.ts';
import type {
  LoggedHttpRequest,
  LoggedOperation,
  LoggedRequestFacts,
  LoggedResult,
  LoggedUser,
} from '../../ports/request-log.ts';
import type { LoggedErrorDetail, StoredRequest } from './model.ts';
import { redactDocument, redactJson, redactText, redactUrl } from './redact.ts';

/** A finished request, with what must be read before its buffers are released. */
export interface FinishedRequest {
  request: Pick<LoggedHttpRequest, 'method' | 'path' | 'query' | 'header'>;
  facts: Pick<LoggedRequestFacts, 'requestId' | 'protocol' | 'clientName'>;
  user: LoggedUser | undefined;
  operation: Pick<LoggedOperation, 'name' | 'kind'> | undefined;
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

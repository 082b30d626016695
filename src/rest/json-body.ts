/** REST bodies: what goes in, what comes out, and what a failure looks like. */
import { AppError, type ErrorDetail } from '../errors.ts';
import type { HttpRequest } from '../http-message.ts';
import { assertJsonDepth } from '../lib/json/json-depth.ts';

const maxBodyBytes = 1024 * 1024;

/** A JSON object, or an empty one when there is no body. */
export async function readJsonObject(request: HttpRequest): Promise<Record<string, unknown>> {
  const bytes = await request.body(maxBodyBytes);
  if (bytes.length === 0) return {};
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new AppError('BAD_REQUEST', 'Send the body as Content-Type: application/json.');
  }
  assertJsonDepth(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new AppError('BAD_REQUEST', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Data of callers' own, the value of a block or a person's settings: what is null in there was sent as null. */
const ownData: ReadonlySet<string> = new Set(['value', 'businessUserConfigs']);

/**
 * Unset optional fields are absent in REST; a list's `cursor` is the one null that stays. Works in place: the value is
 * the executor's own fresh result, and `undefined` is as good as absent to JSON.
 */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') dropNulls(item);
    return;
  }
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const inner = fields[key];
    if (inner === null) {
      if (key !== 'cursor') fields[key] = undefined;
    } else if (typeof inner === 'object' && !ownData.has(key)) {
      dropNulls(inner);
    }
  }
}

/** GraphQL's paging arguments have other names on this wire. */
const wireNames: Readonly<Record<string, string>> = { first: 'limit', after: 'cursor' };

/** `requestId` names the failure in the logs, so that people can ask us about it. */
export function errorBody(error: AppError, requestId: string) {
  const details: ErrorDetail[] = error.details.map((detail) => ({
    ...detail,
    field: wireNames[detail.field] ?? detail.field,
  }));
  return {
    error: error.code,
    message: error.message,
    details,
    // Clients in the field read this mirror of `details` and crash without it.
    validationErrors: details.map(({ field, error: code }) => ({ field, error: code })),
    requestId,
  };
}

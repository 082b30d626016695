/** JSON bodies of REST: parsing requests, and removing nulls from responses. */
import { AppError } from '../errors.ts';
import type { HttpRequest } from '../http-message.ts';
import { assertJsonBytes } from '../lib/json/json-bytes.ts';

const maxBodyBytes = 1024 * 1024;

/** Parses the body as a JSON object; an empty object if there is no body. Throws BAD_REQUEST. */
export async function readJsonBody(request: HttpRequest): Promise<Record<string, unknown>> {
  const bytes = await request.body(maxBodyBytes);
  if (bytes.length === 0) return {};
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new AppError('BAD_REQUEST', 'Send the body as Content-Type: application/json.');
  }
  assertJsonBytes(bytes);
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

/** Fields with client-defined JSON (block values, user settings), whose nulls are data. */
export const clientDataFields: ReadonlySet<string> = new Set(['value', 'businessUserConfigs']);

/**
 * Removes nulls: unset optional fields are absent in REST; only the `cursor` of a list stays null. Works in place, because the value
 * is a fresh result of the executor; JSON.stringify omits `undefined`.
 */
export function removeNullsInPlace(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') removeNullsInPlace(item);
    return;
  }
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const inner = fields[key];
    if (inner === null) {
      if (key !== 'cursor') fields[key] = undefined;
    } else if (typeof inner === 'object' && !clientDataFields.has(key)) {
      removeNullsInPlace(inner);
    }
  }
}

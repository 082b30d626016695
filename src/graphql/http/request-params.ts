/** Validates the parameters of a GraphQL request: paramNames, types and number. */
import { AppError } from '../../errors.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';

const stringParams = ['query', 'operationName', 'documentId'];
const objectParams = ['variables', 'extensions'];

const paramNames = new Set([...stringParams, ...objectParams]);
export const isGraphqlParam = (name: string): boolean => paramNames.has(name);

/** Maximum size of a request body. */
export const maxGraphqlBytes = 1024 * 1024;

/** Clients may send further parameters, which are ignored. */
const maxParams = 20;

export function assertParamCount(params: object): void {
  if (Object.keys(params).length > maxParams) throw badRequest(`Must have at most ${maxParams} parameters.`);
}

/** Validates one operation of a request; null counts as absent. */
export function assertGraphqlParams(params: unknown): void {
  if (!isPlainObject(params)) throw badRequest('Must be an object: each operation of a batch.');
  assertParamCount(params);
  for (const name of stringParams)
    if (typeof (params[name] ?? '') !== 'string') throw badRequest(`Must be a string: ${name}.`);
  for (const name of objectParams)
    if (!isPlainObject(params[name] ?? {})) throw badRequest(`Must be an object: ${name}.`);
}

/** Validates the query string of a GET, in which objects are JSON. */
export function assertGraphqlQueryString(query: string): void {
  if (!/variables|extensions/.test(query)) return;
  const params = new URLSearchParams(query);
  for (const name of objectParams) {
    const text = params.get(name);
    if (text && !isPlainObject(parseJson(text) ?? {})) throw badRequest(`Must be a JSON object: ${name}.`);
  }
}

/** Returns false, which is not an object, for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return false;
  }
}

const badRequest = (message: string) => new AppError('BAD_REQUEST', message);

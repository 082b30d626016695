/** The shape of a GraphQL request, checked before anybody relies on it. */
import { AppError } from '../../errors.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';

const texts = ['query', 'operationName', 'documentId'];
const objects = ['variables', 'extensions'];

const names = new Set([...texts, ...objects]);
export const isGraphqlParam = (name: string): boolean => names.has(name);

/** Room for what clients send besides. */
const maxParams = 20;

export function assertParamCount(params: object): void {
  if (Object.keys(params).length > maxParams) throw odd(`Must have at most ${maxParams} parameters.`);
}

/** One operation of a request; null is as good as absent. */
export function assertGraphqlParams(params: unknown): void {
  if (!isPlainObject(params)) throw odd('Must be an object: each operation of a batch.');
  assertParamCount(params);
  for (const name of texts)
    if (typeof (params[name] ?? '') !== 'string') throw odd(`Must be a string: ${name}.`);
  for (const name of objects)
    if (!isPlainObject(params[name] ?? {})) throw odd(`Must be an object: ${name}.`);
}

/** The query string of a GET, whose objects are JSON. */
export function assertGraphqlQueryString(query: string): void {
  if (!/variables|extensions/.test(query)) return;
  const params = new URLSearchParams(query);
  for (const name of objects) {
    const text = params.get(name);
    if (text && !isPlainObject(parsed(text) ?? {})) throw odd(`Must be a JSON object: ${name}.`);
  }
}

/** Not an object for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return false;
  }
}

const odd = (message: string) => new AppError('BAD_REQUEST', message);

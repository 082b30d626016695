/**
 * PERF: memo of parsed requests, keyed by their text. A memoized request keeps all values that are derived from it alone
 * (lib/cache/memoize-on-arguments.ts). Only requests answered by a render plan are stored: no mutations, no secrets.
 */

import { CacheAdmissionFilter } from '../../lib/cache/admission-filter.ts';
import { freezeForMemoization } from '../../lib/cache/memoize-on-arguments.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';

export interface ParsedRequestCache<ParsedRequest> {
  find(text: string): ParsedRequest | undefined;
  store(text: string, request: ParsedRequest): void;
}

const maxRequests = 3000;
const maxTextLength = 3000;
/** Size of the admission filter: texts seen once that are compared with new ones. */
const maxSeenOnce = 2000;

/** `variablesOf` returns the object that all further values are derived from, usually the variables. */
export function createParsedRequestCache<ParsedRequest extends object>(
  variablesOf: (request: ParsedRequest) => object | null | undefined,
): ParsedRequestCache<ParsedRequest> {
  const requests = createNamedLru<ParsedRequest>('parsed_requests', maxRequests, maxTextLength);
  const admission = new CacheAdmissionFilter();
  return {
    find: (text) => requests.get(text),
    store(text, request) {
      if (text.length > maxTextLength || requests.has(text) || !admission.admits(text, maxSeenOnce)) return;
      const variables = variablesOf(request);
      if (variables) freezeForMemoization(variables);
      requests.set(text, request);
    },
  };
}

/**
 * Questions that are asked again and again, by the text they come in: what was read of one, and all that follows from it alone, is kept
 * (lib/cache/memoize-on-arguments.ts). Only what was answered from texts comes here, so nothing that writes, and nothing secret.
 */

import { AdmissionFilter } from '../../lib/cache/admission-filter.ts';
import { enableMemoization, memoizeOnArguments } from '../../lib/cache/memoize-on-arguments.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import {
  type CoercedVariables,
  type CoercionRules,
  coerceVariables,
  type Variables,
  type VariableTypes,
} from '../execute/coerce-variables.ts';

export interface RequestMemo<Asked> {
  find(text: string): Asked | undefined;
  store(text: string, asked: Asked): void;
}

const maxQuestions = 3000;
const maxLength = 3000;
const maxAskedOnce = 2000;

/** `sentIn` finds what everything else follows from. */
export function createRequestMemo<Asked extends object>(
  sentIn: (asked: Asked) => object | null | undefined,
): RequestMemo<Asked> {
  const kept = createNamedLru<Asked>('questions', maxQuestions);
  const secondTime = new AdmissionFilter();
  return {
    find: (text) => kept.get(text),
    store(text, asked) {
      if (text.length > maxLength || kept.has(text) || !secondTime.admits(text, maxAskedOnce)) return;
      const sent = sentIn(asked);
      if (sent) enableMemoization(sent);
      kept.set(text, asked);
    },
  };
}

/** What coerceVariables gives, read once for what was sent with a question that is kept. */
export const coerceVariablesOnce = (
  types: VariableTypes,
  sent: Variables,
  rules: CoercionRules,
): CoercedVariables =>
  memoizeOnArguments(sent, types, (isKept) => {
    const coerced = coerceVariables(types, sent, rules);
    if (isKept) enableMemoization(coerced.variables);
    return coerced;
  });

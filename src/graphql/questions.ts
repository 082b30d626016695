/**
 * Questions that are asked again and again, by the text they come in: what was read of one, and all that follows from it alone, is kept
 * (lib/derived.ts). Only what was answered from texts comes here, so nothing that writes, and nothing secret.
 */
import { derive, keepDerived } from '../lib/derived.ts';
import { remembered } from '../lib/remembered.ts';
import { SecondTime } from '../lib/second-time.ts';
import {
  type Coerced,
  type CoercionRules,
  coerceVariables,
  type Variables,
  type VariableTypes,
} from './coerce.ts';

export interface Questions<Asked> {
  find(text: string): Asked | undefined;
  note(text: string, asked: Asked): void;
}

const maxQuestions = 3000;
const maxLength = 3000;
const maxAskedOnce = 2000;

/** `sentIn` finds what everything else follows from. */
export function createQuestions<Asked extends object>(
  sentIn: (asked: Asked) => object | null | undefined,
): Questions<Asked> {
  const kept = remembered<Asked>('questions', maxQuestions);
  const secondTime = new SecondTime();
  return {
    find: (text) => kept.get(text),
    note(text, asked) {
      if (text.length > maxLength || kept.has(text) || !secondTime.is(text, maxAskedOnce)) return;
      const sent = sentIn(asked);
      if (sent) keepDerived(sent);
      kept.set(text, asked);
    },
  };
}

/** What coerceVariables gives, read once for what was sent with a question that is kept. */
export const coerceOnce = (types: VariableTypes, sent: Variables, rules: CoercionRules): Coerced =>
  derive(sent, types, (isKept) => {
    const coerced = coerceVariables(types, sent, rules);
    if (isKept) keepDerived(coerced.variables);
    return coerced;
  });

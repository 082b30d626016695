/** PERF: coercion of variables that several requests share (fast/parsed-request-cache.ts), computed once. */
import { freezeForMemoization, memoizeOnArguments } from '../../lib/cache/memoize-on-arguments.ts';
import {
  type CoercedVariables,
  type CoercionRules,
  coerceVariables,
  type Variables,
  type VariableTypes,
} from './coerce-variables.ts';

/** Like `coerceVariables`, computed once for the variables of a memoized request. */
export const coerceVariablesOnce = (
  types: VariableTypes,
  values: Variables,
  rules: CoercionRules,
): CoercedVariables =>
  memoizeOnArguments(values, types, (isMemoized) => {
    const coerced = coerceVariables(types, values, rules);
    if (isMemoized) freezeForMemoization(coerced.variables);
    return coerced;
  });

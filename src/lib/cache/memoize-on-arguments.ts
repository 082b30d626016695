/**
 * What follows from a question alone, whoever asks it: kept with a question that was asked before, made anew for every other. Nobody may
 * change it, as others will be given the same.
 */
import { isPlainObject } from '../json/plain-objects.ts';

const own = Symbol('derived');

/** The last that was made: from one question follows one thing, unless its document was prepared anew. */
interface Last {
  by: object | undefined;
  value: object | undefined;
}

/** From now on what is derived from this is kept with it. */
export function enableMemoization<T extends object>(value: T): T {
  const none: Last = { by: undefined, value: undefined };
  if (!lastOf(value)) Object.defineProperty(value, own, { value: none });
  return deepFreeze(value);
}

const lastOf = (owner: object) => (owner as { [own]?: Last })[own];

/** The same for the same owner and `by`, who names how it is made. What it throws is not kept. `make` is told whether the rest is. */
export function memoizeOnArguments<Value extends object>(
  owner: object,
  by: object,
  make: (isKept: boolean) => Value,
): Value {
  const last = lastOf(owner);
  if (!last) return make(false);
  if (last.by !== by) Object.assign(last, { by, value: enableMemoization(make(true)) });
  return last.value as Value;
}

function deepFreeze<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else if (isPlainObject(value)) Object.values(value).forEach(deepFreeze);
  else return value;
  return Object.freeze(value);
}

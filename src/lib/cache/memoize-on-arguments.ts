/**
 * Memoization on an arguments object: a value derived from the arguments alone is stored on that object, if it is reused across requests.
 * Memoized values are frozen, because all requests share them.
 */
import { deepFreeze } from '../json/deep-readonly.ts';

const memoProperty = Symbol('memoized value');

/** Last derived value. One suffices: `by` changes only when the document was prepared again. */
interface Memo {
  by: object | undefined;
  value: object | undefined;
}

/** Freezes an arguments object and enables memoization on it. */
export function freezeForMemoization<T extends object>(value: T): T {
  const empty: Memo = { by: undefined, value: undefined };
  if (!memoOf(value)) Object.defineProperty(value, memoProperty, { value: empty });
  return deepFreeze(value);
}

const memoOf = (owner: object) => (owner as { [memoProperty]?: Memo })[memoProperty];

/** Returns the memoized value for `owner` and the derivation `by`, or calls `make`. Errors are not memoized. `make` receives whether its result is. */
export function memoizeOnArguments<Value extends object>(
  owner: object,
  by: object,
  make: (isMemoized: boolean) => Value,
): Value {
  const memo = memoOf(owner);
  if (!memo) return make(false);
  if (memo.by !== by) Object.assign(memo, { by, value: freezeForMemoization(make(true)) });
  return memo.value as Value;
}

/** Values memoized on an arguments object that several requests share. */
import { deepFreeze } from '../json/deep-readonly.ts';
import { HiddenProperty } from './hidden-property.ts';

/** Last derived value. One suffices: `by` changes only when the document was prepared again. */
interface Memo {
  by: object | undefined;
  value: object | undefined;
}

const memos = new HiddenProperty<object, Memo>();

/** Freezes an arguments object that several requests share, and enables memoization on it. */
export function freezeForMemoization<T extends object>(value: T): T {
  if (!memos.get(value)) memos.set(value, { by: undefined, value: undefined });
  return deepFreeze(value);
}

/** Returns the memoized value for `owner` and the derivation `by`, or calls `make`. Errors are not memoized. */
export function memoizeOnArguments<Value extends object>(
  owner: object,
  by: object,
  make: () => Value,
): Value {
  const memo = memos.get(owner);
  if (!memo) return make();
  if (memo.by !== by) Object.assign(memo, { by, value: freezeForMemoization(make()) });
  return memo.value as Value;
}

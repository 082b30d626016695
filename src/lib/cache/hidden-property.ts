/**
 * Metadata of single objects in non-enumerable symbol properties, such as values memoized on an arguments object that several requests
 * share. Not a WeakMap: V8 frees ephemerons only in a major GC, which would keep whole requests alive.
 */
import { deepFreeze } from '../json/deep-readonly.ts';

export class HiddenProperty<Owner extends object, Value> {
  readonly #key = Symbol('hidden property');

  get(owner: Owner): Value | undefined {
    return (owner as { [key: symbol]: Value | undefined })[this.#key];
  }

  /** The property is not enumerable, so that a copy of the owner does not have it. */
  set(owner: Owner, value: Value): void {
    Object.defineProperty(owner, this.#key, { value, configurable: true });
  }
}

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

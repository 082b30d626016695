/**
 * What follows from a question alone, whoever asks it: kept with a question that was asked before, made anew for every other. Nobody may
 * change it, as others will be given the same.
 */
import { isObject } from './objects.ts';

const own = Symbol('derived');

type Derived = Map<object, unknown>;

/** From now on what is derived from this is kept with it. */
export function keepDerived<T extends object>(value: T): T {
  if (!derivedOf(value)) Object.defineProperty(value, own, { value: new Map() });
  return deepFreeze(value);
}

const derivedOf = (owner: object) => (owner as { [own]?: Derived })[own];

/** The same for the same owner and `by`, who names how it is made. What it throws is not kept. */
export function derive<Value extends object>(owner: object, by: object, make: () => Value): Value {
  const known = derivedOf(owner);
  if (!known) return make();
  const found = known.get(by) as Value | undefined;
  if (found) return found;
  const made = keepDerived(make());
  known.set(by, made);
  return made;
}

function deepFreeze<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else if (isObject(value)) Object.values(value).forEach(deepFreeze);
  else return value;
  return Object.freeze(value);
}

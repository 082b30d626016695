/** Deeply readonly values: the type, and freezing at run time. */
import { isPlainObject } from './plain-objects.ts';

/** The type without any property or array item that can be assigned. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Freezes arrays and plain objects with all their parts. */
export function deepFreeze<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else if (isPlainObject(value)) Object.values(value).forEach(deepFreeze);
  else return value;
  return Object.freeze(value);
}

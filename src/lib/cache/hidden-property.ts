/**
 * Metadata of single objects in non-enumerable symbol properties. Not a WeakMap: V8 frees ephemerons only in a major GC, which would
 * keep whole requests alive.
 */

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

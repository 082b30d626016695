/**
 * What belongs to an object, and goes with it: most live for one request. A WeakMap would say the same, but V8 keeps all its values until
 * it next looks through the whole memory: with them whatever they lead to, such as everything about the request.
 */
export class HiddenProperty<Owner extends object, Value> {
  readonly #key = Symbol('beside');

  get(owner: Owner): Value | undefined {
    return (owner as { [key: symbol]: Value | undefined })[this.#key];
  }

  /** Not to be seen: a copy of the owner is another one. */
  set(owner: Owner, value: Value): void {
    Object.defineProperty(owner, this.#key, { value, configurable: true });
  }
}

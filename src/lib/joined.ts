/**
 * An answer in parts that were made before. Put together for every page, they would be most of what a busy process allocates, outside of
 * what is collected cheaply: V8 then looks through its whole memory several times a second, and everybody waits.
 */
export class Joined {
  readonly length: number;
  readonly #parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
    let length = 0;
    for (const part of parts) length += part.length;
    this.length = length;
  }

  get byteLength(): number {
    return this.length;
  }

  whole(): Buffer {
    return Buffer.concat(this.#parts, this.length);
  }

  copyTo(target: Uint8Array): void {
    let at = 0;
    for (const part of this.#parts) {
      target.set(part, at);
      at += part.length;
    }
  }
}

/** Cache admission filter: admits a key on its second access, so that keys read only once evict nothing. */
export class CacheAdmissionFilter {
  readonly #seen = new Set<string>();

  /** Whether the key was seen before. Tracks up to `most` keys, then starts over. */
  admits(key: string, maxTracked: number): boolean {
    if (this.#seen.has(key)) return true;
    if (this.#seen.size >= maxTracked) this.#seen.clear();
    this.#seen.add(key);
    return false;
  }
}

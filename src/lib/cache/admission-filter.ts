/** Tells what comes a second time: what nobody asks for again is not worth keeping in the place of what somebody does. */
export class AdmissionFilter {
  readonly #seen = new Set<string>();

  /** Whether it came before. Of those that came once, so many are remembered, and then it begins anew. */
  admits(key: string, most: number): boolean {
    if (this.#seen.has(key)) return true;
    if (this.#seen.size >= most) this.#seen.clear();
    this.#seen.add(key);
    return false;
  }
}

/** Port that generates block values from a prompt. */

export interface BlockToGenerate {
  id: string;
  /** TEXT, NUMBER, BOOLEAN, DATE, GEO_LOCATION, SELECT or MULTI_SELECT. */
  type: string;
  label?: string | undefined;
  settings?:
    | {
        maxLength?: number | undefined;
        variant?: string | undefined;
        options?: readonly string[] | undefined;
      }
    | undefined;
}

export interface BlockValueGenerator {
  /** Whether the built-in generator is used instead of a language model. */
  readonly embedded: boolean;
  /** Values by block id, not validated. Throws BlockValueGeneratorUnavailableError if the generator does not respond. */
  generate(prompt: string, blocks: readonly BlockToGenerate[]): Promise<ReadonlyMap<string, unknown>>;
}

/** The generator cannot be reached, or its response is invalid. */
export class BlockValueGeneratorUnavailableError extends Error {
  override readonly name = 'BlockValueGeneratorUnavailableError';
}

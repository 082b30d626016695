/** Writes values for blocks from a prompt. */

export interface BlockToGenerate {
  id: string;
  /** TEXT, NUMBER, BOOLEAN, DATE, GEO_LOCATION, SELECT or MULTI_SELECT. */
  type: string;
  label?: string | undefined;
  settings?:
    | { maxLength?: number | undefined; variant?: string | undefined; options?: string[] | undefined }
    | undefined;
}

export interface TextGenerator {
  /** Whether the built-in generator answers, not a model. */
  readonly embedded: boolean;
  /** Values by block id. They are suggestions: whoever asks checks them. Throws TextUnavailable when nobody answers. */
  generate(prompt: string, blocks: readonly BlockToGenerate[]): Promise<ReadonlyMap<string, unknown>>;
}

/** The generator cannot be reached, or does not answer as it should. */
export class TextGeneratorUnavailableError extends Error {
  override readonly name = 'TextUnavailable';
}

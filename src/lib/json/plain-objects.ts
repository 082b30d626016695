/** Helpers for plain objects. */

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copy without properties that are undefined, so that an absent input field does not overwrite the stored value. */
export const omitUndefined = <Source extends object>(source: Source): Defined<Source> =>
  Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined),
  ) as unknown as Defined<Source>;

type Defined<Source> = {
  [Field in keyof Source as undefined extends Source[Field] ? never : Field]: Source[Field];
} & {
  [Field in keyof Source as undefined extends Source[Field] ? Field : never]?: Exclude<
    Source[Field],
    undefined
  >;
};

/** Plain objects. */

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without the properties that are undefined: what was not sent must not overwrite what is there. */
export const omitUndefined = <Given extends object>(given: Given): Defined<Given> =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as Defined<Given>;

type Defined<Given> = {
  [Field in keyof Given as undefined extends Given[Field] ? never : Field]: Given[Field];
} & {
  [Field in keyof Given as undefined extends Given[Field] ? Field : never]?: Exclude<Given[Field], undefined>;
};

/** Types of the names that a route may use: variables of its operation and paths in its data. */

/** Names of the variables; never for an operation without variables, whose type has an index signature. */
export type VariableName<Vars> = string extends keyof Vars ? never : keyof Vars & string;

/** Fields of `$input`, the body. */
export type InputFieldName<Vars> = Vars extends { input: infer Input } ? keyof Input & string : never;

/** Fields of `$filter`, set by query parameters. */
export type FilterFieldName<Vars> = Vars extends { filter?: infer Input }
  ? keyof NonNullable<Input> & string
  : never;

type Parameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Parameters<More>
    : Rest
  : never;

/** The path itself if its parameters are variables of the operation, otherwise a type that names the unknown ones. */
export type ValidRoutePath<Path extends string, Vars> = string extends Path
  ? never
  : [Parameters<Path>] extends [VariableName<Vars>]
    ? Path
    : { 'not a variable of the operation': Exclude<Parameters<Path>, VariableName<Vars>> };

type Fields<Data> = Data extends readonly unknown[]
  ? never
  : Data extends object
    ? Exclude<keyof Data, '__typename'> & string
    : never;

/** Paths `field` and `field.field` whose values have the type `Kind`. */
type At<Data, Kind> = {
  [Root in Fields<Data>]:
    | (NonNullable<Data[Root & keyof Data]> extends Kind ? Root : never)
    | Below<Root, NonNullable<Data[Root & keyof Data]>, Kind>;
}[Fields<Data>];

type Below<Root extends string, Payload, Kind> = {
  [Field in Fields<Payload>]: NonNullable<Payload[Field & keyof Payload]> extends Kind
    ? `${Root}.${Field}`
    : never;
}[Fields<Payload>];

export type PathToRecord<Data> = At<Data, Record<string, unknown>>;
export type PathToValue<Data> = At<Data, unknown>;

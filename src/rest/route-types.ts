/** What a row may name: the variables its operation declares, and the fields its data has. */

/** Names of variables; an operation without any has none, whatever its type says. */
export type VariableName<Vars> = string extends keyof Vars ? never : keyof Vars & string;

/** Fields of the input type that the body is. */
export type InputFieldName<Vars> = Vars extends { input: infer Input } ? keyof Input & string : never;

/** Fields of the input type that query parameters fill. */
export type FilterFieldName<Vars> = Vars extends { filter?: infer Input }
  ? keyof NonNullable<Input> & string
  : never;

type Parameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Parameters<More>
    : Rest
  : never;

/** The path itself, when its parameters are variables of the operation. */
export type PathFor<Path extends string, Vars> = string extends Path
  ? never
  : [Parameters<Path>] extends [VariableName<Vars>]
    ? Path
    : { 'not a variable of the operation': Exclude<Parameters<Path>, VariableName<Vars>> };

type Fields<Data> = Data extends readonly unknown[]
  ? never
  : Data extends object
    ? Exclude<keyof Data, '__typename'> & string
    : never;

/** `field` and `field.field`, where what is there is of a kind. */
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

type Connection = { nodes: readonly unknown[]; pageInfo: { hasNextPage: boolean; endCursor?: unknown } };

export type RecordAt<Data> = At<Data, Record<string, unknown>>;
export type ConnectionAt<Data> = At<Data, Connection>;
export type ValueAt<Data> = At<Data, unknown>;

/**
 * Rows of the REST table: a documented path and the stored GraphQL operation behind it, as plain data.
 *
 * What goes without saying: parameters of the path become variables of the same name, `$input` is the body, and
 * `$version` is what `If-Match` insists on. A row says the rest, in names that its operation must have.
 */
import type { TypedDocumentString } from '../generated/operations.ts';
import type {
  ConnectionAt,
  FilterFieldName,
  InputFieldName,
  PathFor,
  RecordAt,
  ValueAt,
  VariableName,
} from './route-types.ts';

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RestRoute {
  readonly method: RestMethod;
  readonly path: string;
  readonly operation: { readonly name: string; readonly source: string };
  /**
   * Query parameters with the variables they become, or the fields of one, such as `filter.market`; of several for one variable, the
   * first that is set counts.
   */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of the body that become variables of their name. */
  readonly fields: readonly string[];
  /** What older clients call a field of `$input`. */
  readonly alias: Readonly<Record<string, string>>;
  /** Fields of the body that older clients send and nobody reads. */
  readonly drop: readonly string[];
  readonly answer: ResponseMapping;
  /** What a missing record is called. */
  readonly missing: string;
}

/** Which part of the operation's data is the answer: `updateProduct.product` is the product of that payload. */
export type ResponseMapping =
  /** The record; without one what `otherwise` makes of other parts, or 404. */
  | { readonly at: string; readonly otherwise?: Readonly<Record<string, string>> }
  /** A connection, as `{items, cursor}`. */
  | { readonly list: string }
  /** A value that is no record, under a name. */
  | { readonly value: string; readonly as: string }
  /** Nothing but `{success: true}`. */
  | { readonly success: true };

interface Asked<Vars, Renamed> {
  /** Query parameters, in the order the contract lists them. */
  query?: readonly (VariableName<Vars> | NoInfer<keyof Renamed & string>)[];
  /** Query parameters that have another name than the variable they become. */
  rename?: Renamed & Readonly<Record<string, VariableName<Vars>>>;
  /** Query parameters that are fields of `$filter`. */
  filter?: readonly FilterFieldName<Vars>[];
  fields?: readonly VariableName<Vars>[];
  alias?: Readonly<Record<string, InputFieldName<Vars>>>;
  drop?: readonly string[];
}

interface Missing {
  missing?: string;
}

type Renaming = Readonly<Record<string, string>>;
type None = Readonly<Record<never, never>>;

type Recorded<Data> = { answer: RecordAt<Data> };

/** Anything that is none of the usual five below. */
export const customRoute = <const Path extends string, Data, Vars, const Renamed extends Renaming = None>(
  method: RestMethod,
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  {
    answer,
    ...asked
  }: Asked<Vars, Renamed> &
    Missing & {
      answer:
        | RecordAt<Data>
        | { at: RecordAt<Data>; otherwise: Readonly<Record<string, ValueAt<Data>>> }
        | { value: ValueAt<Data>; as: string }
        | { success: true };
    },
): RestRoute => makeRow(method, path, document, asked, typeof answer === 'string' ? { at: answer } : answer);

export const postRoute = <const Path extends string, Data, Vars extends { input: unknown }>(
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { answer, ...asked }: Asked<Vars, None> & Recorded<Data>,
): RestRoute => makeRow('POST', path, document, asked, { at: answer });

export const listRoute = <
  const Path extends string,
  Data,
  Vars extends { first?: unknown; after?: unknown },
  const Renamed extends Renaming = None,
>(
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { answer, ...asked }: Asked<Vars, Renamed> & { answer: ConnectionAt<Data> },
): RestRoute => {
  const { query = [], filter = [], rename } = asked;
  const paged = {
    filter,
    query: ['limit', 'cursor', ...query],
    rename: { limit: 'first', cursor: 'after', ...rename },
  };
  return makeRow('GET', path, document, paged, { list: answer });
};

export const getRoute = <const Path extends string, Data, Vars>(
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { answer, ...asked }: Recorded<Data> & Missing,
): RestRoute => makeRow('GET', path, document, asked, { at: answer });

export const putRoute = <const Path extends string, Data, Vars extends { input: unknown }>(
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { answer, ...asked }: Asked<Vars, None> & Recorded<Data>,
): RestRoute => makeRow('PUT', path, document, asked, { at: answer });

export const deleteRoute = <const Path extends string, Data, Vars>(
  path: Path & PathFor<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { answer, ...asked }: Asked<Vars, None> & Recorded<Data>,
): RestRoute => makeRow('DELETE', path, document, asked, { at: answer });

interface Given extends Missing {
  query?: readonly string[];
  filter?: readonly string[];
  rename?: Renaming | undefined;
  fields?: readonly string[];
  alias?: Renaming;
  drop?: readonly string[];
}

function makeRow(
  method: RestMethod,
  path: string,
  document: { toString(): string },
  { query = [], filter = [], rename = {}, fields = [], alias = {}, drop = [], missing = 'Record' }: Given,
  answer: ResponseMapping,
): RestRoute {
  const source = document.toString();
  const name = /^\s*(?:query|mutation)\s+(\w+)/m.exec(source)?.[1];
  if (!name) throw new Error(`The operation of ${method} ${path} has no name.`);
  const variables = Object.fromEntries([
    ...query.map((parameter) => [parameter, rename[parameter] ?? parameter]),
    ...filter.map((parameter) => [parameter, `filter.${parameter}`]),
  ]);
  return {
    method,
    path,
    operation: { name, source },
    query: variables,
    fields,
    alias,
    drop,
    answer,
    missing,
  };
}

/**
 * REST routes as plain data: a documented path and the stored GraphQL operation that it runs.
 *
 * By convention, path parameters become variables of the same name, `$input` is the body and `$version` the version in `If-Match`.
 * The response is the record or the list that the operation selects. A route declares everything else; the compiler checks that its
 * operation has the declared names.
 */
import { Kind, parse } from 'graphql';
import type { TypedDocumentString } from '../generated/operations.ts';
import type {
  FilterFieldName,
  InputFieldName,
  PathToRecord,
  PathToValue,
  ValidRoutePath,
  VariableName,
} from './route-name-types.ts';

type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RestRoute {
  readonly method: RestMethod;
  readonly path: string;
  readonly operation: { readonly name: string; readonly source: string };
  /**
   * Variables by query parameter, or fields of a variable, such as `filter.market`. If several parameters map to one variable, the
   * first that is set is used.
   */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of the body that become variables of the same name. */
  readonly bodyFields: readonly string[];
  /** Fields of `$input` by the name that older clients send. */
  readonly inputAliases: Readonly<Record<string, string>>;
  /** Fields of the body that older clients send and that are ignored. */
  readonly ignoredFields: readonly string[];
  readonly response: ResponseMapping;
  /**
   * Set if the route creates a record. In strict API versions the status is then 201. `location` is the path of the record; its
   * parameters are those of the request and fields of the response. Default: the GET route one segment below, if there is one.
   */
  readonly creates: { readonly location?: string } | undefined;
  /** Name of the record in the message of a 404, such as `Order`. */
  readonly recordName: string;
}

/** Selects the response body from the data of the operation: `updateProduct.product` is the product of that payload. */
export type ResponseMapping =
  /** The record at this path; if it is null, an object of the paths in `fallback`, or 404. */
  | { readonly at: string; readonly fallback?: Readonly<Record<string, string>> }
  /** A connection, as `{items, cursor}`; 404 if the record above it is null. */
  | { readonly list: string }
  /** A value that is not a record, as `{[as]: value}`. */
  | { readonly value: string; readonly as: string }
  /** Always `{success: true}`. */
  | { readonly success: true };

interface RequestOptions<Vars, Renamed = NoAliases> {
  /** Query parameters, in the order of the documentation. */
  query?: readonly (VariableName<Vars> | NoInfer<keyof Renamed & string>)[];
  /** Variables of query parameters with another name. */
  queryAliases?: Renamed & Readonly<Record<string, VariableName<Vars>>>;
  /** Query parameters that are fields of `$filter`. */
  filter?: readonly FilterFieldName<Vars>[];
  bodyFields?: readonly VariableName<Vars>[];
  inputAliases?: Readonly<Record<string, InputFieldName<Vars>>>;
  ignoredFields?: readonly string[];
}

interface RecordNameOption {
  recordName?: string;
}

interface CreatesOption {
  creates?: { location?: string };
}

type Aliases = Readonly<Record<string, string>>;
type NoAliases = Readonly<Record<never, never>>;

/** A route that none of the five functions below fits. */
export const defineCustomRoute = <
  const Path extends string,
  Data,
  Vars,
  const Renamed extends Aliases = NoAliases,
>(
  method: RestMethod,
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RequestOptions<Vars, Renamed> &
    RecordNameOption &
    CreatesOption & {
      response?:
        | { at: PathToRecord<Data>; fallback?: Readonly<Record<string, PathToValue<Data>>> }
        | { value: PathToValue<Data>; as: string }
        | { success: true };
    } = {},
): RestRoute => buildRoute(method, path, document, options);

/** `POST` of an input object; creates a record and returns it. */
export const definePostRoute = <const Path extends string, Data, Vars extends { input: unknown }>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RequestOptions<Vars> & CreatesOption = {},
): RestRoute => buildRoute('POST', path, document, { creates: {}, ...options });

/** `GET` of a connection as `{items, cursor}`, with the parameters `limit` and `cursor`. */
export const defineListRoute = <
  const Path extends string,
  Data,
  Vars extends { first?: unknown; after?: unknown },
  const Renamed extends Aliases = NoAliases,
>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  { query = [], queryAliases, ...options }: RequestOptions<Vars, Renamed> & RecordNameOption = {},
): RestRoute =>
  buildRoute('GET', path, document, {
    ...options,
    query: ['limit', 'cursor', ...query],
    queryAliases: { limit: 'first', cursor: 'after', ...queryAliases },
    response: { list: findSelectedRecord(document.toString()) },
  });

/** `GET` of one record, or 404. */
export const defineGetRoute = <const Path extends string, Data, Vars>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RecordNameOption = {},
): RestRoute => buildRoute('GET', path, document, options);

/** `PATCH` and `PUT` of an input object: both change the fields of the body and return the record. */
export const defineUpdateRoutes = <const Path extends string, Data, Vars extends { input: unknown }>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RequestOptions<Vars> = {},
): [RestRoute, RestRoute] => [
  definePutRoute(path, document, options),
  { ...definePutRoute(path, document, options), method: 'PATCH' },
];

/** `PUT` of an input object; returns the changed record. */
export const definePutRoute = <const Path extends string, Data, Vars extends { input: unknown }>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RequestOptions<Vars> = {},
): RestRoute => buildRoute('PUT', path, document, options);

/** `DELETE` of a record. */
export const defineDeleteRoute = <const Path extends string, Data, Vars>(
  path: Path & ValidRoutePath<Path, Vars>,
  document: TypedDocumentString<Data, Vars>,
  options: RequestOptions<Vars> = {},
): RestRoute => buildRoute('DELETE', path, document, options);

interface UncheckedOptions extends RecordNameOption, CreatesOption {
  query?: readonly string[];
  filter?: readonly string[];
  queryAliases?: Aliases | undefined;
  bodyFields?: readonly string[];
  inputAliases?: Aliases;
  ignoredFields?: readonly string[];
  response?: ResponseMapping;
}

function buildRoute(
  method: RestMethod,
  path: string,
  document: { toString(): string },
  {
    query = [],
    filter = [],
    queryAliases = {},
    bodyFields = [],
    inputAliases = {},
    ignoredFields = [],
    creates,
    recordName = 'Record',
    response,
  }: UncheckedOptions,
): RestRoute {
  const source = document.toString();
  const name = /^\s*(?:query|mutation)\s+(\w+)/m.exec(source)?.[1];
  if (!name) throw new Error(`The operation of ${method} ${path} has no name.`);
  const variables = Object.fromEntries([
    ...query.map((parameter) => [parameter, queryAliases[parameter] ?? parameter]),
    ...filter.map((parameter) => [parameter, `filter.${parameter}`]),
  ]);
  return {
    method,
    path,
    operation: { name, source },
    query: variables,
    bodyFields,
    inputAliases,
    ignoredFields,
    response: response ?? { at: findSelectedRecord(source) },
    creates,
    recordName,
  };
}

/** Path to the record or list that an operation selects: down to the first selection of several fields or of a fragment. */
function findSelectedRecord(source: string): string {
  const path: string[] = [];
  // Without the fragments, which follow the operation: every start parses all routes.
  const [operation] = parse(source.replace(/^\s*fragment [\s\S]*/m, '')).definitions;
  let fields = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet : undefined;
  while (fields?.selections.length === 1 && fields.selections[0]?.kind === Kind.FIELD) {
    const { alias, name, selectionSet } = fields.selections[0];
    if (selectionSet) path.push((alias ?? name).value);
    fields = selectionSet;
  }
  if (path.length === 0) throw new Error(`The operation selects no record: ${source}`);
  return path.join('.');
}

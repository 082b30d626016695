/** A row of the REST table: a documented path that runs one stored GraphQL operation. */
import type { TypedDocumentString } from '../generated/operations.ts';
import type { QuerySpec, QueryValues } from './query.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a row may draw its variables from. */
export interface RowRequest {
  path: Readonly<Record<string, string>>;
  query: QueryValues;
  /** The parsed JSON body; an empty object when there is none. */
  body: Readonly<Record<string, unknown>>;
  /** The version named by `If-Match`. */
  version: number | undefined;
}

export interface RowOptions<Data, Vars> {
  query?: QuerySpec;
  variables(request: RowRequest): { [Name in keyof Vars]?: unknown };
  /** The answer's body; undefined or null says that the addressed record does not exist. */
  body(data: Data): unknown;
  /** What a missing record is called. */
  missing?: string;
}

export interface Row {
  readonly method: Method;
  readonly path: string;
  readonly operation: { name: string; source: string };
  readonly query: QuerySpec;
  readonly missing: string;
  variables(request: RowRequest): Record<string, unknown>;
  body(data: unknown): unknown;
}

export function row<Data, Vars>(
  method: Method,
  path: string,
  document: TypedDocumentString<Data, Vars>,
  { query = {}, missing = 'Record', variables, body }: RowOptions<Data, Vars>,
): Row {
  const source = document.toString();
  const name = /^\s*(?:query|mutation)\s+(\w+)/m.exec(source)?.[1];
  if (!name) throw new Error(`The operation of ${method} ${path} has no name.`);
  return {
    method,
    path,
    operation: { name, source },
    query,
    missing,
    variables,
    body: (data) => body(data as Data),
  };
}

/** Query parameters of every list. */
export const paging = { limit: 'integer', cursor: 'string' } as const satisfies QuerySpec;

export const pageVariables = ({ query }: RowRequest) => ({ first: query.limit, after: query.cursor });

interface Connection<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
}

/** REST's `{items, cursor}` is the connection under other names. */
export const list = <Node>({ nodes, pageInfo }: Connection<Node>) => ({
  items: nodes,
  cursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
});

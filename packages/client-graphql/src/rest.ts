/** REST responses from GraphQL results, for clients that migrate from REST: pages, records without nulls, and responses of `fetch`. */
import { DuetError, type ErrorDetail, errorOf } from '../../common/errors.ts';
import { clientDataFields, statusByErrorCode } from './generated/rest-rules.ts';
import { type Client, type Connection, createClient } from './index.ts';

/** REST omits fields that are null. */
export type WithoutNulls<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? WithoutNulls<Item>[]
    : Value extends object
      ? {
          [Name in keyof Value as null extends Value[Name] ? never : Name]: WithoutNulls<Value[Name]>;
        } & {
          [Name in keyof Value as null extends Value[Name] ? Name : never]?: WithoutNulls<
            NonNullable<Value[Name]>
          >;
        }
      : Value;

export interface RestPage<Item> {
  items: Item[];
  /** Null on the last page. */
  cursor: string | null;
}

function removeNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, clientDataFields.includes(name) ? inner : removeNulls(inner)]),
  );
}

const notFound = () => errorOf({ code: 'NOT_FOUND', message: 'Record not found.', details: [] });

/** Converts data to the REST body of one record. The function throws NotFoundError if there is none, like the REST client. */
export const toRestRecord =
  <Data, Value>(select: (data: Data) => Value) =>
  (data: Data): WithoutNulls<NonNullable<Value>> => {
    const value = select(data);
    if (value === null || value === undefined) throw notFound();
    return removeNulls(value) as WithoutNulls<NonNullable<Value>>;
  };

/** Converts data to the REST body of a list. */
export const toRestPage =
  <Data, Node>(select: (data: Data) => Connection<Node> | null | undefined) =>
  (data: Data): RestPage<WithoutNulls<Node>> => {
    const connection = select(data);
    if (!connection) throw notFound();
    const { nodes, pageInfo } = connection;
    return {
      items: nodes.map((node) => removeNulls(node) as WithoutNulls<Node>),
      cursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
    };
  };

/** Items of a list as in REST, page by page. */
export async function* toRestItems<Node>(
  nodes: AsyncIterable<Node>,
): AsyncGenerator<WithoutNulls<Node>, void> {
  for await (const node of nodes) yield removeNulls(node) as WithoutNulls<Node>;
}

export interface RestFetchOptions {
  /** Headers of the REST request. Those that GraphQL does not read have no effect. */
  headers?: HeadersInit | undefined;
  signal?: AbortSignal | null | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Error body of REST. */
export interface RestError {
  error: string;
  message: string;
  details: readonly ErrorDetail[];
  requestId?: string | undefined;
}

/** Headers that describe a body: those of the GraphQL request apply. */
const bodyHeaders: readonly string[] = ['accept', 'content-type', 'content-length'];

const sendTo =
  (options: RestFetchOptions): ((request: Request) => Promise<Response>) =>
  (request) => {
    const headers = new Headers(request.headers);
    for (const [name, value] of new Headers(options.headers))
      if (!bodyHeaders.includes(name)) headers.set(name, value);
    const sent = new Request(request, { headers, ...(options.signal ? { signal: options.signal } : {}) });
    return (options.fetch ?? globalThis.fetch)(sent);
  };

/** Runs operations at the gateway and returns what `fetch` of their REST route returns: a response with body and status. */
export async function restFetch(
  url: string,
  options: RestFetchOptions,
  run: (client: Client) => Promise<unknown>,
): Promise<Response> {
  const client = createClient({ url, retries: 0, fetch: sendTo(options) });
  try {
    return Response.json(await run(client));
  } catch (error) {
    if (!(error instanceof DuetError)) throw error;
    return Response.json(errorBody(error), { status: statusByErrorCode[error.code] });
  }
}

const errorBody = ({ code, message, details, requestId }: DuetError): RestError => ({
  error: code,
  message,
  details,
  requestId,
});

export type RestResult<Data> =
  | { data: Data; error?: never; response: Response }
  | { data?: never; error: RestError; response: Response };

export interface RestResultClient {
  /** Runs operations and returns `{data, error, response}`, like a request of openapi-fetch. */
  send<Data>(run: (client: Client) => Promise<Data>, options?: RestFetchOptions): Promise<RestResult<Data>>;
}

/** Client with the options of openapi-fetch that apply to GraphQL. */
export const createRestResultClient = ({
  baseUrl = '',
  headers: commonHeaders,
  fetch,
}: RestFetchOptions & { baseUrl?: string | undefined }): RestResultClient => ({
  async send(run, { headers, signal } = {}) {
    const merged = new Headers(commonHeaders);
    for (const [name, value] of new Headers(headers)) merged.set(name, value);
    const response = await restFetch(baseUrl, { headers: merged, signal, fetch }, run);
    const body = await response.clone().json();
    return response.ok ? { data: body, response } : { error: body, response };
  },
});

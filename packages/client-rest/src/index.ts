/** REST client: a typed function for every operation of `/v1`. */
import createFetchClient from 'openapi-fetch';
import { type ErrorCode, type ErrorDetail, errorOf, unreadable } from '../../common/errors.ts';
import { type ClientOptions, type Tokens, Transport } from '../../common/transport.ts';
import type { components, operations } from './generated/api.ts';
import { routes } from './generated/routes.ts';

export * from '../../common/errors.ts';
export type { ClientOptions, Tokens } from '../../common/transport.ts';
export * from '../../common/webhooks.ts';
/** For openapi-fetch. */
export type { paths } from './generated/api.ts';
export type Schemas = components['schemas'];
export type OperationName = keyof operations & keyof typeof routes;

type Operation<Name extends OperationName> = operations[Name];

type BodyOf<T> = T extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : T extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : object;

type Part<T, Name extends string> = T extends { parameters: Record<Name, infer Value> }
  ? Record<Name, Value>
  : T extends { parameters: { [key in Name]?: infer Value } }
    ? { [key in Name]?: Value }
    : object;

export type RequestOf<Name extends OperationName> = Part<Operation<Name>, 'path'> &
  Part<Operation<Name>, 'query'> &
  Part<Operation<Name>, 'header'> &
  BodyOf<Operation<Name>> & { signal?: AbortSignal };

export type AnswerOf<Name extends OperationName> =
  Operation<Name> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : unknown;

type Arguments<Name extends OperationName> =
  object extends RequestOf<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>];

export type Api = { readonly [Name in OperationName]: (...args: Arguments<Name>) => Promise<AnswerOf<Name>> };

type ItemOf<Name extends OperationName> =
  AnswerOf<Name> extends { items: readonly (infer Item)[] } ? Item : never;

export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends { items: unknown; cursor: unknown } ? Name : never;
}[OperationName];

export interface Client {
  /** Functions by operation id of the contract. */
  readonly api: Api;
  /** All items of a list; loads the next page when the caller needs it. */
  each<Name extends ListName>(name: Name, ...args: Arguments<Name>): AsyncGenerator<ItemOf<Name>, void>;
  readonly tokens: Tokens | undefined;
  /** Tokens of all later requests; undefined: without authentication. */
  signIn(tokens: Tokens | undefined): void;
}

interface AnyRequest {
  path?: object;
  query?: object;
  header?: object;
  body?: unknown;
  signal?: AbortSignal;
}

type Call = (request?: AnyRequest) => Promise<unknown>;

export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const createCall = ([method, path, isKeyed]: (typeof routes)[OperationName]): Call => {
    const isRetryable = method === 'GET' || isKeyed === 1;
    const client = createFetchClient<Record<string, never>>({
      baseUrl: transport.url,
      fetch: (request) => transport.send(request, isRetryable),
    });
    return async ({ path: pathParameters, query, header, body, signal } = {}) => {
      const key = isKeyed === 1 ? { 'Idempotency-Key': crypto.randomUUID() } : {};
      const params = { path: pathParameters, query, header: { ...key, ...header } };
      const init = { params, body, signal };
      const { data, error, response } = await client.request(
        method.toLowerCase() as never,
        path,
        init as never,
      );
      if (response.ok) return data;
      throw toDuetError(error, response);
    };
  };
  const calls = Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, createCall(route)]));
  return {
    api: calls as unknown as Api,
    async *each(name, ...[request]) {
      const call = calls[name] as Call;
      const { query, ...rest }: AnyRequest = (request as unknown as AnyRequest | undefined) ?? {};
      let cursor: string | null | undefined;
      do {
        const pageQuery = cursor ? { ...query, cursor } : query;
        const page = (await call({ ...rest, ...(pageQuery ? { query: pageQuery } : {}) })) as {
          items: ItemOf<typeof name>[];
          cursor: string | null;
        };
        yield* page.items;
        cursor = page.cursor;
      } while (cursor);
    },
    get tokens() {
      return transport.tokens;
    },
    signIn: (tokens) => transport.signIn(tokens),
  };
}

function toDuetError(error: unknown, { status, headers }: Response): Error {
  const body = error as
    | { error?: ErrorCode; message?: string; details?: ErrorDetail[]; requestId?: string }
    | undefined;
  if (typeof body !== 'object' || !body.error) return unreadable(status);
  return errorOf({
    code: body.error,
    message: body.message ?? '',
    details: body.details ?? [],
    requestId: body.requestId,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  });
}

/** GraphQL client: runs typed documents, pages through connections and reads subscriptions. */
import {
  type ErrorCode,
  type ErrorDetail,
  errorOf,
  UnauthenticatedError,
  unreadable,
} from '../../common/errors.ts';
import {
  backoffMs,
  type ClientOptions as CommonOptions,
  type Tokens,
  Transport,
  wait,
} from '../../common/transport.ts';
import { type Document, documentIdOf, isQuery } from './document.ts';
import { isConnectionError, StreamEnded, subscriptionEvents } from './subscription-stream.ts';

export * from '../../common/errors.ts';
export type { Tokens } from '../../common/transport.ts';
export * from '../../common/webhooks.ts';
export type { Document } from './document.ts';

export interface ClientOptions extends CommonOptions {
  /** Sends the ids of documents instead of their texts, for gateways with trusted documents. Default: false. */
  trusted?: boolean | undefined;
}

export interface RunOptions {
  /** Makes a mutation safe to retry, so that the client retries it when the response is lost. True: generates a key. */
  idempotencyKey?: string | true | undefined;
  signal?: AbortSignal | undefined;
}

export interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Client {
  /** Runs a document and returns its data. Throws a DuetError for the first error of the response. */
  run<Result, Variables>(
    document: Document<Result, Variables>,
    variables: Variables,
    options?: RunOptions,
  ): Promise<Result>;
  /** All nodes of a connection, page by page. The document has the variable `$after` and selects `pageInfo`. */
  each<Result, Variables, Node>(
    document: Document<Result, Variables>,
    variables: Variables,
    connectionOf: (data: Result) => Connection<Node>,
    options?: RunOptions,
  ): AsyncGenerator<Node, void>;
  /** Events of a subscription, until it completes or the caller stops. Reconnects when the connection breaks or the token expires. */
  watch<Result, Variables>(
    document: Document<Result, Variables>,
    variables: Variables,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncGenerator<Result, void>;
  readonly tokens: Tokens | undefined;
  /** Tokens of all later requests; undefined: without authentication. */
  signIn(tokens: Tokens | undefined): void;
}

interface GraphqlResponse {
  data?: unknown;
  errors?: {
    message: string;
    extensions?: { code?: ErrorCode; details?: ErrorDetail[]; requestId?: string };
  }[];
}

export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const url = `${transport.url}/graphql`;
  const createPayload = async (document: Document<never, never>, variables: unknown) =>
    options.trusted
      ? { documentId: await documentIdOf(document), variables }
      : { query: document.toString(), variables };

  const run: Client['run'] = async (document, variables, { idempotencyKey, signal } = {}) => {
    const key = idempotencyKey === true ? crypto.randomUUID() : idempotencyKey;
    const request = new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: JSON.stringify(await createPayload(document as never, variables)),
      ...(signal ? { signal } : {}),
    });
    const isRetryable = key !== undefined || isQuery(document);
    const send = async () => {
      const response = await transport.send(request, isRetryable);
      const body = (await response.json().catch(() => undefined)) as GraphqlResponse | undefined;
      if (!body) throw unreadable(response.status);
      return { body, retryAfter: Number(response.headers.get('retry-after')) || undefined };
    };
    let { body, retryAfter } = await send();
    // The access token was rejected before the operation ran, so that a retry is safe.
    if (body.errors?.[0]?.extensions?.code === 'UNAUTHENTICATED' && (await transport.refresh()))
      ({ body, retryAfter } = await send());
    return dataOf(body, retryAfter) as never;
  };

  const openStream = async (request: Request) => {
    const response = await transport.send(request, true);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    throw dataOf((await response.json().catch(() => ({}))) as GraphqlResponse) ?? unreadable(response.status);
  };

  /** Lost connections and expired tokens lead to a reconnect; any other error ends the subscription. */
  const canReconnect = async (error: unknown) =>
    isConnectionError(error) || (error instanceof UnauthenticatedError && (await transport.refresh()));

  return {
    run,
    async *each(document, variables, connectionOf, runOptions) {
      let after: string | null | undefined;
      do {
        const data = await run(document, after ? { ...variables, after } : variables, runOptions);
        const { nodes, pageInfo } = connectionOf(data);
        yield* nodes;
        after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
      } while (after);
    },
    async *watch(document, variables, { signal } = {}) {
      const payload = await createPayload(document as never, variables);
      for (let failures = 0; ; failures += 1) {
        const connectedAt = Date.now();
        try {
          for await (const event of subscriptionEvents(url, payload, openStream, signal)) {
            const data = dataOf(event as GraphqlResponse);
            failures = 0;
            yield data as never;
          }
          return;
        } catch (error) {
          // A connection that was open for 10 seconds worked, even without events.
          if (Date.now() - connectedAt > 10_000) failures = 0;
          const isFinal = failures >= transport.retries || signal?.aborted || !(await canReconnect(error));
          if (!(error instanceof StreamEnded) && isFinal) throw error;
        }
        await wait(backoffMs(Math.min(failures, 5)), signal);
      }
    },
    get tokens() {
      return transport.tokens;
    },
    signIn: (tokens) => transport.signIn(tokens),
  };
}

/** Data of a response. Throws its first error. */
function dataOf({ data, errors }: GraphqlResponse, retryAfter?: number): unknown {
  const [first] = errors ?? [];
  if (!first) return data;
  const { code = 'INTERNAL', details = [], requestId } = first.extensions ?? {};
  throw errorOf({ code, message: first.message, details, requestId, retryAfter });
}

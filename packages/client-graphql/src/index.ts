/** The GraphQL client: typed documents in, typed data out. */
import {
  type ErrorCode,
  type ErrorDetail,
  errorOf,
  UnauthenticatedError,
  unreadable,
} from '../../common/errors.ts';
import {
  type ClientOptions as CommonOptions,
  pause,
  type Tokens,
  Transport,
  wait,
} from '../../common/transport.ts';
import { type Document, documentIdOf, isRead } from './document.ts';
import { answersOf, Ended, isLost } from './live.ts';

export * from '../../common/errors.ts';
export type { Tokens } from '../../common/transport.ts';
export * from '../../common/webhooks.ts';
export type { Document } from './document.ts';

export interface ClientOptions extends CommonOptions {
  /** Send the ids of documents instead of their texts, as a gateway of trusted documents wants it. */
  trusted?: boolean | undefined;
}

export interface RunOptions {
  /** Makes a create safe to be sent again, so that it is when an answer is lost; true: a key of its own. */
  idempotencyKey?: string | true | undefined;
  signal?: AbortSignal | undefined;
}

export interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Client {
  /** Sends a document; what comes back has the shape of what it selects. */
  run<Result, Variables>(
    document: Document<Result, Variables>,
    variables: Variables,
    options?: RunOptions,
  ): Promise<Result>;
  /** Every node of a connection, page after page. The document takes `$after` and asks for `pageInfo`. */
  each<Result, Variables, Node>(
    document: Document<Result, Variables>,
    variables: Variables,
    connectionOf: (data: Result) => Connection<Node>,
    options?: RunOptions,
  ): AsyncGenerator<Node, void>;
  /** What a subscription sends, until it is over or the caller stops; connects again when the connection is lost or the token ends. */
  watch<Result, Variables>(
    document: Document<Result, Variables>,
    variables: Variables,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncGenerator<Result, void>;
  readonly tokens: Tokens | undefined;
  /** From now on as whoever these belong to; undefined: as nobody. */
  signIn(tokens: Tokens | undefined): void;
}

interface Answer {
  data?: unknown;
  errors?: {
    message: string;
    extensions?: { code?: ErrorCode; details?: ErrorDetail[]; requestId?: string };
  }[];
}

export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const url = `${transport.url}/graphql`;
  const asked = async (document: Document<never, never>, variables: unknown) =>
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
      body: JSON.stringify(await asked(document as never, variables)),
      ...(signal ? { signal } : {}),
    });
    const repeats = key !== undefined || isRead(document);
    const ask = async () => {
      const response = await transport.send(request, repeats);
      const answer = (await response.json().catch(() => undefined)) as Answer | undefined;
      if (!answer) throw unreadable(response.status);
      return { answer, retryAfter: Number(response.headers.get('retry-after')) || undefined };
    };
    let { answer, retryAfter } = await ask();
    // Tokens that ended too early: nothing was done yet.
    if (answer.errors?.[0]?.extensions?.code === 'UNAUTHENTICATED' && (await transport.refresh()))
      ({ answer, retryAfter } = await ask());
    return dataOf(answer, retryAfter) as never;
  };

  const openStream = async (request: Request) => {
    const response = await transport.send(request, true);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    throw dataOf((await response.json().catch(() => ({}))) as Answer) ?? unreadable(response.status);
  };

  /** Connections are lost, and a stream outlives its token; everything else is somebody's answer. */
  const goesOn = async (error: unknown) =>
    isLost(error) || (error instanceof UnauthenticatedError && (await transport.refresh()));

  return {
    run,
    async *each(document, variables, connectionOf, more) {
      let after: string | null | undefined;
      do {
        const data = await run(document, after ? { ...variables, after } : variables, more);
        const { nodes, pageInfo } = connectionOf(data);
        yield* nodes;
        after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
      } while (after);
    },
    async *watch(document, variables, { signal } = {}) {
      const question = await asked(document as never, variables);
      for (let failures = 0; ; failures += 1) {
        const since = Date.now();
        try {
          for await (const answer of answersOf(url, question, openStream, signal)) {
            const sent = dataOf(answer as Answer);
            failures = 0;
            yield sent as never;
          }
          return;
        } catch (error) {
          // What stayed open for a while, though nothing happened, did not fail.
          if (Date.now() - since > 10_000) failures = 0;
          const isOver = failures >= transport.retries || signal?.aborted || !(await goesOn(error));
          if (!(error instanceof Ended) && isOver) throw error;
        }
        await wait(pause(Math.min(failures, 5)), signal);
      }
    },
    get tokens() {
      return transport.tokens;
    },
    signIn: (tokens) => transport.signIn(tokens),
  };
}

/** The data of an answer, or its first failure thrown. */
function dataOf({ data, errors }: Answer, retryAfter?: number): unknown {
  const [first] = errors ?? [];
  if (!first) return data;
  const { code = 'INTERNAL', details = [], requestId } = first.extensions ?? {};
  throw errorOf({ code, message: first.message, details, requestId, retryAfter });
}

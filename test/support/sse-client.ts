/** GraphQL subscription client over server-sent events, without a socket. */
import type { Person, TestApp } from './app.ts';

export interface StreamMessage {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly received: StreamMessage[];
  /** Number of keep-alive comments. */
  pings: number;
  /** Undefined while open. `reconnect`: the server ended the stream and sent `retry`. `closed`: the client closed it. */
  state: 'complete' | 'reconnect' | 'broken' | 'closed' | undefined;
  /** Milliseconds that the client should wait before it reconnects. */
  retry?: number;
  /** Closes the connection from the side of the client. */
  close(): Promise<void>;
}

export interface SubscribeOptions {
  as?: Person | undefined;
  headers?: Record<string, string>;
}

/** Subscribes and reads the stream in the background. */
export async function openSubscription(
  t: TestApp,
  query: string,
  variables: Record<string, unknown>,
  { as, headers }: SubscribeOptions = {},
): Promise<EventStream> {
  const response = await t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  return readEventStream(response);
}

export function readEventStream(response: Response): EventStream {
  const reader = response.body?.getReader();
  const stream: EventStream = {
    status: response.status,
    headers: response.headers,
    received: [],
    pings: 0,
    state: undefined,
    async close() {
      if (stream.state) return;
      stream.state = 'closed';
      await reader?.cancel();
    },
  };
  async function read() {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) parseBlock(stream, block);
    }
    stream.state ??= stream.retry === undefined ? 'broken' : 'reconnect';
  }
  read().catch(() => {
    stream.state ??= 'broken';
  });
  return stream;
}

function parseBlock(stream: EventStream, block: string): void {
  const event = /^event: (\w+)$/m.exec(block)?.[1];
  if (event === 'next')
    stream.received.push(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as StreamMessage);
  else if (event === 'complete') stream.state = 'complete';
  else if (block.trim() === ':') stream.pings += 1;
  else if (/^retry: \d+$/.test(block)) stream.retry = Number(block.slice(7));
  else throw new Error(`Not an event: ${block}`);
}

/** One value of each message, without consecutive duplicates: a change during the initial read is delivered twice. */
export const distinctValues = <Value>(
  { received }: EventStream,
  field: (data: Record<string, never>) => Value,
): Value[] =>
  received
    .map(({ data }) => field((data ?? {}) as Record<string, never>))
    .filter((value, index, all) => index === 0 || value !== all[index - 1]);

/** Error codes in the messages of a stream, in order. */
export const streamErrorCodes = ({ received }: EventStream) =>
  received.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));

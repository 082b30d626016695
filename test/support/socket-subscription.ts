/** GraphQL subscription client over a WebSocket, with the interface of the client over server-sent events. */
import { createClient } from 'graphql-ws';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import type { TestApp } from './app.ts';
import type { EventStream, StreamMessage, SubscribeOptions } from './sse-client.ts';

/** Resolves when the gateway delivers changes, or has rejected the subscription: the protocol confirms neither. */
export async function openSocketSubscription(
  t: TestApp,
  port: number,
  { query, variables }: { query: string; variables: Record<string, unknown> },
  { as, headers }: SubscribeOptions = {},
): Promise<EventStream> {
  const client = createClient({
    url: `ws://127.0.0.1:${port}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { ...headers, ...(as ? { authorization: `Bearer ${as.token}` } : {}) },
    retryAttempts: 0,
  });
  const stream: EventStream = {
    status: 101,
    headers: new Headers(),
    received: [],
    pings: 0,
    state: undefined,
    async close() {
      stream.state ??= 'closed';
      await client.dispose();
    },
  };
  const { live } = t.app.services;
  const watchingBefore = live.state.watching;
  client.subscribe(
    { query, variables },
    {
      next: (result) => stream.received.push(result as StreamMessage),
      error(error) {
        // The errors of the message `error`; another value is the reason for which the socket closed.
        if (Array.isArray(error)) stream.received.push({ errors: error as StreamMessage['errors'] & object });
        stream.state ??= Array.isArray(error) ? 'complete' : 'reconnect';
      },
      complete() {
        stream.state ??= 'complete';
      },
    },
  );
  await vi.waitUntil(() => stream.state !== undefined || live.state.watching > watchingBefore, {
    timeout: 10_000,
    interval: 5,
  });
  return stream;
}

/** Events of a subscription over one connection of `graphql-sse`. The caller reconnects. */
import { createClient, NetworkError, type RequestParams } from 'graphql-sse';

/** The server closed the connection cleanly before the subscription completed. */
export class StreamEnded extends Error {}

/** Whether the network failed, so that a retry is reasonable. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof NetworkError;

/** `open` sends the request and throws if the response is not an event stream. */
export async function* subscriptionEvents(
  url: string,
  payload: object,
  open: (request: Request) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  let openError: unknown;
  let hasEnded = false;
  // graphql-sse waits forever if the last event and the end of the stream arrive in one chunk: the end is delayed by a macrotask.
  const end = () => {
    hasEnded = true;
    return new Promise<void>((resolve) => setTimeout(resolve));
  };
  const client = createClient({
    url,
    retryAttempts: 0,
    async fetchFn(address: string, init: RequestInit) {
      try {
        const { body } = await open(new Request(address, init));
        return new Response(body?.pipeThrough(new TransformStream({ flush: end })) ?? null);
      } catch (error) {
        // graphql-sse would rethrow only the message.
        openError = error;
        throw error;
      }
    },
  });
  const stop = () => client.dispose();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  try {
    yield* client.iterate(payload as RequestParams);
  } catch (error) {
    throw hasEnded ? new StreamEnded() : (openError ?? error);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
  signal?.throwIfAborted();
}

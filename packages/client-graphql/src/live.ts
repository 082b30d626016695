/** What a subscription answers, over one connection of `graphql-sse`: opening another is up to the caller. */
import { createClient, NetworkError, type RequestParams } from 'graphql-sse';

/** The connection was closed in order, before the subscription was over. */
export class Ended extends Error {}

/** Lost on the way: what anybody may try again. */
export const isLost = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof NetworkError;

/** `open` sends the request and throws what is no stream. */
export async function* answersOf(
  url: string,
  asked: object,
  open: (request: Request) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  let refusal: unknown;
  let isOver = false;
  // graphql-sse waits for ever where the last event and the end arrive as one: the end comes a moment later.
  const end = () => {
    isOver = true;
    return new Promise<void>((done) => setTimeout(done));
  };
  const client = createClient({
    url,
    retryAttempts: 0,
    async fetchFn(address: string, init: RequestInit) {
      try {
        const { body } = await open(new Request(address, init));
        return new Response(body?.pipeThrough(new TransformStream({ flush: end })) ?? null);
      } catch (error) {
        // It would keep no more than the message.
        refusal = error;
        throw error;
      }
    },
  });
  const stop = () => client.dispose();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  try {
    yield* client.iterate(asked as RequestParams);
  } catch (error) {
    throw isOver ? new Ended() : (refusal ?? error);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
  signal?.throwIfAborted();
}

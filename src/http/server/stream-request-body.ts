/** Streams a request body, with a size limit, a timeout, and a shorter timeout for a client that sends nothing. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import { payloadTooLargeError } from './fetch-api-adapter.ts';
import { requestTimeoutError } from './unparsable-request-errors.ts';

export async function* streamRequestBody(
  req: IncomingMessage,
  limit: number,
  { totalMs, idleMs }: { totalMs: number; idleMs: number },
): AsyncIterable<Uint8Array> {
  if (Number(req.headers['content-length']) > limit) throw payloadTooLargeError(limit);
  let rejectRead: ((error: AppError) => void) | undefined;
  let isTimeOver = false;
  const total = setTimeout(() => {
    isTimeOver = true;
    rejectRead?.(requestTimeoutError());
  }, totalMs);
  // The socket must stay open for the response.
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false });
  let size = 0;
  /** Only the wait for the client counts as idle time, not the time that the receiver takes for a chunk. */
  const nextChunk = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      rejectRead = reject;
      const idle = setTimeout(() => reject(requestTimeoutError()), idleMs);
      chunks
        .next()
        .then(resolve, reject)
        .finally(() => clearTimeout(idle));
    });
  try {
    for (;;) {
      if (isTimeOver) throw requestTimeoutError();
      const next = await nextChunk();
      if (next.done) return;
      size += next.value.length;
      if (size > limit) throw payloadTooLargeError(limit);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('BAD_REQUEST', 'The body ended early.');
  } finally {
    clearTimeout(total);
    // The rest is read and discarded: clients read the response only after they have sent the whole body.
    void chunks.return?.().then(() => req.resume());
  }
}

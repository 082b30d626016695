/** Streams a request body, with a size limit and a timeout. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import { requestTimeoutError } from './client-errors.ts';
import { payloadTooLargeError } from './fetch-handler.ts';

export async function* streamRequestBody(
  req: IncomingMessage,
  limit: number,
  timeoutMs: number,
): AsyncIterable<Uint8Array> {
  if (Number(req.headers['content-length']) > limit) throw payloadTooLargeError(limit);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(requestTimeoutError()), timeoutMs);
  });
  // Avoids an unhandled rejection when the timeout fires while no read is pending.
  timeout.catch(() => {});
  // The socket must stay open for the response.
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false });
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), timeout]);
      if (next.done) return;
      size += next.value.length;
      if (size > limit) throw payloadTooLargeError(limit);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('BAD_REQUEST', 'The body ended early.');
  } finally {
    clearTimeout(timer);
    // The rest is read and discarded: clients read the response only after they have sent the whole body.
    void chunks.return?.().then(() => req.resume());
  }
}

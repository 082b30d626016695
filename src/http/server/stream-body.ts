/** A body as it comes, within its size and its time. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import { requestTimeoutError } from './client-errors.ts';
import { payloadTooLargeError } from './fetch-handler.ts';

export async function* streamBody(
  req: IncomingMessage,
  limit: number,
  arrivalMs: number,
): AsyncIterable<Uint8Array> {
  if (Number(req.headers['content-length']) > limit) throw payloadTooLargeError(limit);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(requestTimeoutError()), arrivalMs);
  });
  // Unless somebody waits for it just then, nobody is there to hear it.
  late.catch(() => {});
  // The connection is still needed for the answer.
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false });
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late]);
      if (next.done) return;
      size += next.value.length;
      if (size > limit) throw payloadTooLargeError(limit);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('BAD_REQUEST', 'The body ended early.');
  } finally {
    clearTimeout(timer);
    // The rest is read and dropped: clients read the answer only after they have sent all.
    void chunks.return?.().then(() => req.resume());
  }
}

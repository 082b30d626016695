/** Share of the memory for request bodies that are arriving: slow clients keep theirs for half a minute. */
import { AppError } from '../../errors.ts';
import type { HttpRequest } from '../../http-message.ts';

/** Of one payer, all guests of a network together. */
const maxBytesPerPayer = 64 * 1024 * 1024;
/** Counted for a body without `Content-Length`: most are small, and their connections are limited. */
const assumedBytes = 128 * 1024;

type ReadBody = (request: HttpRequest, payer: string) => Promise<Buffer>;

/** Reads bodies of at most `maxBytes`. Throws UNAVAILABLE, without reading, while too many bytes of the payer are announced. */
export function createBodyReader(maxBytes: number): ReadBody {
  const announcedByPayer = new Map<string, number>();

  function announce(payer: string, change: number): void {
    const bytes = (announcedByPayer.get(payer) ?? 0) + change;
    if (bytes > 0) announcedByPayer.set(payer, bytes);
    else announcedByPayer.delete(payer);
  }

  return async (request, payer) => {
    const length = Number(request.header('content-length') ?? assumedBytes);
    const bytes = length >= 0 && length < maxBytes ? length : maxBytes;
    if ((announcedByPayer.get(payer) ?? 0) + bytes > maxBytesPerPayer)
      throw new AppError('UNAVAILABLE', 'Too many large requests are arriving. Try again in 1 second.', {
        headers: { 'Retry-After': '1' },
      });
    announce(payer, bytes);
    try {
      return await request.body(maxBytes);
    } finally {
      announce(payer, -bytes);
    }
  };
}

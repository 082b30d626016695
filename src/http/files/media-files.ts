/** Where uploaded files are served: to everybody who knows the address, to be kept for good, and never run as anything but what they are. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { findServedFile, type ServedFile } from '../../domains/media/find-served-file.ts';
import { mediaPath } from '../../domains/media/model.ts';
import { notFoundError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import type { ByteRange } from '../../ports/media.ts';
import type { Endpoint } from '../endpoint.ts';

/** What is at an address never changes: another file has another id. */
const forGood = 'public, max-age=31536000, immutable';
const forNow = 'public, max-age=5';

/** Even opened by itself, a drawing is no page of ours. The viewers of browsers show no documents under it. */
const caged = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox";

export const mediaFileEndpoint = (services: Services): Endpoint => ({
  path: mediaPath,
  methods: ['GET'],
  async handle(request) {
    const [id = '', name = '', ...rest] = request.path.slice(mediaPath.length).split('/');
    const found = rest.length === 0 ? await findServedFile(services, id, name) : undefined;
    if (!found) throw notFoundError('File');
    return serve(request, found, `"${id}-${name}"`);
  },
});

async function serve(request: HttpRequest, file: ServedFile, etag: string): Promise<HttpResponse> {
  const headers: Record<string, string> = {
    'content-type': file.mimeType,
    'cache-control': file.isFinal ? forGood : forNow,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    ...(file.mimeType === 'application/pdf' ? {} : { 'content-security-policy': caged }),
    ...(file.isFinal ? { etag } : {}),
    ...(file.size === undefined ? {} : { 'accept-ranges': 'bytes' }),
  };
  if (file.isFinal && isKnown(request, etag)) return { status: 304, headers, body: null };
  const range = file.size === undefined ? undefined : rangeOf(request, file.size);
  const length = range ? range.end - range.start + 1 : file.size;
  if (length !== undefined) headers['content-length'] = String(length);
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.size}`;
  const body = request.method === 'HEAD' ? Readable.from([]) : await file.open(range);
  if (!body) throw notFoundError('File');
  return {
    status: range ? 206 : 200,
    headers,
    body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
  };
}

const isKnown = (request: HttpRequest, etag: string): boolean =>
  (request.header('if-none-match') ?? '')
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');

/** One range that lies within the file; to anything else the whole file is the answer. */
function rangeOf(request: HttpRequest, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.header('range') ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end && request.header('if-range') === undefined ? { start, end } : undefined;
}

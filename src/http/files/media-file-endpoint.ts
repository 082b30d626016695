/** Endpoint that serves uploaded media files. They are public, cached as immutable, and sent with headers that prevent script execution. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { findServedMediaFile, type ServedMediaFile } from '../../domains/media/find-served-file.ts';
import { mediaPathPrefix } from '../../domains/media/model.ts';
import { notFoundError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import type { ByteRange } from '../../ports/media.ts';
import type { Endpoint } from '../endpoint-route.ts';

/** The content of a URL never changes: another file has another id. */
const immutableCaching = 'public, max-age=31536000, immutable';
const shortCaching = 'public, max-age=5';

/** Prevents an SVG that is opened directly from running scripts. Not set for PDF: browsers do not display PDF documents under a sandbox. */
const sandboxPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox";

export const createMediaFileEndpoint = (services: Services): Endpoint => ({
  path: mediaPathPrefix,
  methods: ['GET'],
  async handle(request) {
    const [id = '', name = '', ...rest] = request.path.slice(mediaPathPrefix.length).split('/');
    const file = rest.length === 0 ? await findServedMediaFile(services, id, name) : undefined;
    if (!file) throw notFoundError('File');
    return serve(request, file, `"${id}-${name}"`);
  },
});

async function serve(request: HttpRequest, file: ServedMediaFile, etag: string): Promise<HttpResponse> {
  const headers: Record<string, string> = {
    'content-type': file.mimeType,
    'cache-control': file.isFinal ? immutableCaching : shortCaching,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    ...(file.mimeType === 'application/pdf' ? {} : { 'content-security-policy': sandboxPolicy }),
    ...(file.isFinal ? { etag } : {}),
    ...(file.size === undefined ? {} : { 'accept-ranges': 'bytes' }),
  };
  if (file.isFinal && isCachedByClient(request, etag)) return { status: 304, headers, body: null };
  const range = file.size === undefined ? undefined : rangeOf(request, file.size);
  const length = range ? range.end - range.start + 1 : file.size;
  if (length !== undefined) headers['content-length'] = String(length);
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.size}`;
  const body = request.method === 'HEAD' ? Readable.from([]) : await file.open(range);
  if (!body) throw notFoundError('File');
  return { status: range ? 206 : 200, headers, body: Readable.toWeb(body) as ReadableStream<Uint8Array> };
}

const isCachedByClient = (request: HttpRequest, etag: string): boolean =>
  (request.header('if-none-match') ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');

/** A single byte range within the file. Undefined for any other Range header: the whole file is sent. */
function rangeOf(request: HttpRequest, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.header('range') ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end && request.header('if-range') === undefined ? { start, end } : undefined;
}

/** Answers in fewer bytes, for callers that ask for it: br or gzip. Streams and small bodies stay as they are. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import { copyToOwnBuffer } from '../lib/cache/record-cache.ts';

type Encoding = 'br' | 'gzip';

/** Below this a packet is a packet. */
const minBytes = 1024;
const compressible =
  /^(?:text\/(?!event-stream)|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b)/;

/** Quality 4 is about as quick as gzip, and smaller; 6 takes twice as long for a tenth less. */
type Quality = 4 | 6;

const pack: Record<Encoding, (bytes: Uint8Array, quality: Quality) => Promise<Uint8Array>> = {
  br: (bytes, quality) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Texts that are sent again are packed once: what was made of them goes when they go. */
const packed = new WeakMap<Uint8Array | SegmentedBody, Partial<Record<Encoding, Promise<Uint8Array>>>>();

export function compressResponse(
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const { body, headers } = response;
  if (
    body === null ||
    (typeof body !== 'string' && !(body instanceof Uint8Array || body instanceof SegmentedBody))
  )
    return response;
  if (
    body.length < minBytes ||
    headers['content-encoding'] ||
    !compressible.test(headers['content-type'] ?? '')
  )
    return response;
  if (!/accept-encoding/i.test(headers.vary ?? ''))
    headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding';
  const encoding = negotiateEncoding(request.header('accept-encoding'));
  return encoding ? encoded(response, body, encoding) : response;
}

async function encoded(
  response: HttpResponse,
  body: string | Uint8Array | SegmentedBody,
  encoding: Encoding,
): Promise<HttpResponse> {
  const { etag } = response.headers;
  const headers = {
    ...response.headers,
    'content-encoding': encoding,
    // The same record in other bytes: equal, but not byte by byte.
    ...(etag && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {}),
  };
  return { ...response, headers, body: await bytesOf(body, encoding) };
}

function bytesOf(body: string | Uint8Array | SegmentedBody, encoding: Encoding): Promise<Uint8Array> {
  if (typeof body === 'string') return pack[encoding](Buffer.from(body), 4);
  const known = packed.get(body) ?? {};
  packed.set(body, known);
  known[encoding] ??= pack[encoding](body instanceof SegmentedBody ? body.toBuffer() : body, 6).then(
    copyToOwnBuffer,
  );
  return known[encoding];
}

/** The better one of those that are accepted; undefined when none is, and for callers that do not say. */
export function negotiateEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === 'identity') return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}

/** Response compression with br or gzip, as negotiated by Accept-Encoding. Streams and bodies below 1 KB stay uncompressed. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import { copyToOwnBuffer } from '../lib/cache/record-cache.ts';

type Encoding = 'br' | 'gzip';

/** Smaller bodies fit into one packet either way. */
const minBytes = 1024;
const compressible =
  /^(?:text\/(?!event-stream)|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b)/;

/** Brotli quality. 4 is about as fast as gzip, and smaller; 6 takes twice as long for 10 % fewer bytes. */
type Quality = 4 | 6;

const compressors: Record<Encoding, (bytes: Uint8Array, quality: Quality) => Promise<Uint8Array>> = {
  br: (bytes, quality) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Compressed bodies of cached responses, so that each is compressed once. The entry is collected with its body. */
const compressedBodies = new WeakMap<
  Uint8Array | SegmentedBody,
  Partial<Record<Encoding, Promise<Uint8Array>>>
>();

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
  return encoding ? withEncoding(response, body, encoding) : response;
}

async function withEncoding(
  response: HttpResponse,
  body: string | Uint8Array | SegmentedBody,
  encoding: Encoding,
): Promise<HttpResponse> {
  const { etag } = response.headers;
  const headers = {
    ...response.headers,
    'content-encoding': encoding,
    // The compressed representation is not byte-identical, so its validator must be weak.
    ...(etag && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {}),
  };
  return { ...response, headers, body: await bytesOf(body, encoding) };
}

function bytesOf(body: string | Uint8Array | SegmentedBody, encoding: Encoding): Promise<Uint8Array> {
  if (typeof body === 'string') return compressors[encoding](Buffer.from(body), 4);
  const compressed = compressedBodies.get(body) ?? {};
  compressedBodies.set(body, compressed);
  compressed[encoding] ??= compressors[encoding](
    body instanceof SegmentedBody ? body.toBuffer() : body,
    6,
  ).then(copyToOwnBuffer);
  return compressed[encoding];
}

/** The accepted encoding with the highest weight, br before gzip; undefined when none is accepted or the header is missing. */
export function negotiateEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === 'identity') return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map((parameter) => parameter.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}

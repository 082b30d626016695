/** HTTP request and response interfaces, independent of sockets and cheaper than Fetch objects. */

export interface HttpRequest {
  readonly method: string;
  /** Path without query, not decoded. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  header(name: string): string | undefined;
  /** Reads at most `limit` bytes; throws PAYLOAD_TOO_LARGE beyond. A body that was read before is returned synchronously. */
  body(limit: number): Promise<Buffer> | Buffer;
  /** The body, if it has been read; does not start to read. */
  receivedBody(): Buffer | undefined;
  /** The body as a stream, for uploads that are too large for memory. Throws like `body`; use one or the other. */
  stream(limit: number): AsyncIterable<Uint8Array>;
  /** As a Fetch request, for Yoga. */
  toFetch(): Request;
  readonly remoteAddress: string;
}

/** `header` of a request. Repeated headers are joined with commas. */
export const createHeaderReader =
  (headers: Readonly<Record<string, string | string[] | undefined>>): HttpRequest['header'] =>
  (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | SegmentedBody | ReadableStream<Uint8Array> | null;
}

/**
 * PERF: a response body of pre-rendered segments. Concatenating them for every page would dominate the allocations of a busy process;
 * large buffers live outside of V8's young generation, so that major GCs would run several times per second and stall all requests.
 */
export class SegmentedBody {
  readonly length: number;
  readonly #segments: readonly Uint8Array[];

  constructor(segments: readonly Uint8Array[]) {
    this.#segments = segments;
    let length = 0;
    for (const segment of segments) length += segment.length;
    this.length = length;
  }

  get byteLength(): number {
    return this.length;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#segments, this.length);
  }

  copyTo(target: Uint8Array): void {
    let offset = 0;
    for (const segment of this.#segments) {
      target.set(segment, offset);
      offset += segment.length;
    }
  }
}

/** Whether requests of this method have a body. */
export const acceptsBody = (method: string): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

export const jsonContentType = 'application/json; charset=utf-8';

export const jsonResponse = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': jsonContentType, ...headers },
  body: JSON.stringify(value),
});

export const htmlResponse = (
  status: number,
  text: string,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: text,
});

const acceptHeader = (request: HttpRequest) => request.header('accept') ?? '';

/** Media types are case-insensitive. */
export const acceptsHtml = (request: HttpRequest): boolean => /\btext\/html\b/i.test(acceptHeader(request));

export const acceptsOnlyJson = (request: HttpRequest): boolean =>
  /\bapplication\/json\b/i.test(acceptHeader(request)) && !acceptsHtml(request);

/** Media type of a GraphQL response; undefined for an Accept header that Yoga has to interpret. */
export function acceptedGraphqlType(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  const isGraphqlResponse =
    /^application\/graphql-response\+json(?:; ?charset=utf-8)?(?:, ?application\/(?:json|graphql\+json)(?:; ?(?:charset=utf-8|q=[\d.]+))*)*$/i.test(
      accept,
    );
  return isGraphqlResponse ? 'application/graphql-response+json' : undefined;
}

/** Whether the client names a media type for results in parts, see src/graphql/execute/incremental; a wildcard is not sufficient. */
export const acceptsIncrementalResults = (accept: string | undefined): boolean =>
  accept !== undefined && /multipart\/mixed|text\/event-stream/i.test(accept);

/** Whether the first format that the client names is the current one, `incrementalSpec=v0.2`. */
export const acceptsAnnouncedParts = (accept: string | undefined): boolean =>
  /;\s*(incrementalSpec="?v0\.2|deferSpec=)/i.exec(accept ?? '')?.[1]?.startsWith('incremental') ?? false;

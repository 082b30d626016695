/** Requests and answers as the gateway sees them, without sockets and without the cost of Fetch objects. */

export interface HttpRequest {
  readonly method: string;
  /** Path without query, not decoded. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  header(name: string): string | undefined;
  /** Reads at most `limit` bytes; throws PAYLOAD_TOO_LARGE beyond. What was read before is there at once. */
  body(limit: number): Promise<Buffer> | Buffer;
  /** The body as it comes, for what is too large to be held in memory. Throws like `body`, and takes its place. */
  stream(limit: number): AsyncIterable<Uint8Array>;
  /** For what speaks Fetch, such as Yoga. */
  toFetch(): Request;
  readonly remoteAddress: string;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | SegmentedBody | ReadableStream<Uint8Array> | null;
}

/**
 * An answer in parts that were made before. Put together for every page, they would be most of what a busy process allocates, outside of
 * what is collected cheaply: V8 then looks through its whole memory several times a second, and everybody waits.
 */
export class SegmentedBody {
  readonly length: number;
  readonly #parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
    let length = 0;
    for (const part of parts) length += part.length;
    this.length = length;
  }

  get byteLength(): number {
    return this.length;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts, this.length);
  }

  copyTo(target: Uint8Array): void {
    let at = 0;
    for (const part of this.#parts) {
      target.set(part, at);
      at += part.length;
    }
  }
}

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

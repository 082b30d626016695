/** PERF: parses the JSON body of a GraphQL request. A document that was sent before is recognised by its bytes and not parsed again. */
import { type CacheStats, type MeasuredCache, registerCache } from '../../lib/cache/cache-registry.ts';

/** A cached document at the beginning of request bodies. */
interface CachedDocument {
  /** Unique for the lifetime of the process. */
  readonly number: number;
  /** The body up to and including the quote that ends the document. */
  readonly bytes: Buffer;
  /** The parsed document; always the same string object, whose hash V8 has computed. */
  readonly text: string;
}

/** A request body, split after its document if that is cached. */
export interface SplitGraphqlBody {
  readonly document: CachedDocument | undefined;
  /** The JSON after the cached document, or the whole body. */
  readonly text: string;
}

/** First bytes of the body as most clients send it. */
const start = '{"query":"';
const [quote, comma, brace] = [0x22, 0x2c, 0x7d];
/** Sufficient for the documents of the frontends of a shop. */
const maxDocuments = 300;
const maxLength = 5000;

/** List in order of last use. A new document is inserted in the middle, so that documents sent once do not evict those that are sent repeatedly. */
class CachedDocuments implements MeasuredCache {
  readonly #documents: CachedDocument[] = [];
  #lastNumber = 0;
  #hits = 0;
  #misses = 0;

  find(body: Buffer): CachedDocument | undefined {
    const index = this.#documents.findIndex(({ bytes }) => beginsWith(body, bytes));
    const document = this.#documents[index];
    if (document) this.#hits += 1;
    else if (body.toString('latin1', 0, start.length) === start) this.#misses += 1;
    if (document && index > 0) {
      this.#documents.splice(index, 1);
      this.#documents.unshift(document);
    }
    return document;
  }

  add(bytes: Buffer, text: string): void {
    this.#lastNumber += 1;
    this.#documents.splice(maxDocuments / 2, 0, { number: this.#lastNumber, bytes, text });
    if (this.#documents.length > maxDocuments) this.#documents.pop();
  }

  get stats(): CacheStats {
    return { entries: this.#documents.length, hits: this.#hits, misses: this.#misses };
  }
}

const documents = registerCache('document_texts', new CachedDocuments());

export function splitGraphqlBody(body: Buffer): SplitGraphqlBody {
  const document = documents.find(body);
  return { document, text: body.toString('utf8', document?.bytes.length) };
}

/** Compares the last bytes first: they differ between most documents. */
function beginsWith(body: Buffer, bytes: Buffer): boolean {
  const end = bytes.length;
  const next = body[end];
  return (next === comma || next === brace) && body[end - 1] === quote && bytes.compare(body, 0, end) === 0;
}

/** Equivalent to JSON.parse of the body, including the errors. */
export function parseGraphqlBody({ document, text }: SplitGraphqlBody): unknown {
  if (document) return parseAfterDocument(document.text, text) ?? JSON.parse(`${document.bytes}${text}`);
  const end = text.startsWith(start) ? endOfString(text) : -1;
  if (end === -1 || end > maxLength) return JSON.parse(text);
  const query = JSON.parse(text.slice(start.length - 1, end + 1)) as string;
  const params = parseAfterDocument(query, text.slice(end + 1));
  // Invalid UTF-8 was replaced while decoding: the re-encoded bytes would never match a body.
  if (params && !query.includes('\ufffd')) documents.add(Buffer.from(text.slice(0, end + 1)), query);
  return params ?? JSON.parse(text);
}

/** Parses the JSON that follows the document. Undefined for unusual formatting or invalid JSON. */
function parseAfterDocument(query: string, json: string): object | undefined {
  if (json === '}') return { query };
  if (!json.startsWith(',"')) return undefined;
  return { query, ...(JSON.parse(`{${json.slice(1)}`) as object) };
}

/** Index of the quote that ends the document; -1 if there is none. */
function endOfString(text: string): number {
  let end = text.indexOf('"', start.length);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

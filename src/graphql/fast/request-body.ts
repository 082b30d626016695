/** Reads the JSON of a GraphQL request. Most of it is a document that was sent before: that part is compared, and not read again. */
import { type CacheStats, type MeasuredCache, registerCache } from '../../lib/cache/cache-registry.ts';

/** A document that bodies begin with. */
interface SentDocument {
  /** Never given twice. */
  readonly number: number;
  /** The body up to the quote that ends the document. */
  readonly bytes: Buffer;
  /** The same object each time, whose hash is known. */
  readonly text: string;
}

/** A body, its document apart from the rest if it is one that came before. */
export interface GraphqlRequestBody {
  readonly document: SentDocument | undefined;
  /** What follows the document, or everything. */
  readonly text: string;
}

/** As most clients write it. */
const start = '{"query":"';
const [quote, comma, brace] = [0x22, 0x2c, 0x7d];
/** Room for what the frontends of a shop send. */
const maxDocuments = 300;
const maxLength = 5000;

/** Those that came last are the first. A new one comes in the middle: many that come once push out nothing that comes again. */
class Documents implements MeasuredCache {
  readonly #known: SentDocument[] = [];
  #given = 0;
  #hits = 0;
  #misses = 0;

  find(body: Buffer): SentDocument | undefined {
    const at = this.#known.findIndex(({ bytes }) => beginsWith(body, bytes));
    const found = this.#known[at];
    if (found) this.#hits += 1;
    else if (body.toString('latin1', 0, start.length) === start) this.#misses += 1;
    if (found && at > 0) {
      this.#known.splice(at, 1);
      this.#known.unshift(found);
    }
    return found;
  }

  add(bytes: Buffer, text: string): void {
    this.#given += 1;
    this.#known.splice(maxDocuments / 2, 0, { number: this.#given, bytes, text });
    if (this.#known.length > maxDocuments) this.#known.pop();
  }

  get stats(): CacheStats {
    return { entries: this.#known.length, hits: this.#hits, misses: this.#misses };
  }
}

const documents = registerCache('document_texts', new Documents());

export function readGraphqlBody(body: Buffer): GraphqlRequestBody {
  const document = documents.find(body);
  return { document, text: body.toString('utf8', document?.bytes.length) };
}

/** The last bytes first: they tell most documents apart. */
function beginsWith(body: Buffer, bytes: Buffer): boolean {
  const end = bytes.length;
  const next = body[end];
  return (next === comma || next === brace) && body[end - 1] === quote && bytes.compare(body, 0, end) === 0;
}

/** As JSON.parse, also in what it throws. */
export function parseGraphqlBody({ document, text }: GraphqlRequestBody): unknown {
  if (document) return parseRest(document.text, text) ?? JSON.parse(`${document.bytes}${text}`);
  const end = text.startsWith(start) ? endOfString(text) : -1;
  if (end === -1 || end > maxLength) return JSON.parse(text);
  const query = JSON.parse(text.slice(start.length - 1, end + 1)) as string;
  const read = parseRest(query, text.slice(end + 1));
  // What was no UTF-8 is another text by now, and would not be found.
  if (read && !query.includes('\ufffd')) documents.add(Buffer.from(text.slice(0, end + 1)), query);
  return read ?? JSON.parse(text);
}

/** Undefined for what is rare, or no JSON. */
function parseRest(query: string, rest: string): object | undefined {
  if (rest === '}') return { query };
  if (!rest.startsWith(',"')) return undefined;
  return { query, ...(JSON.parse(`{${rest.slice(1)}`) as object) };
}

/** Where the quote is that ends the document. */
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

/** Reads the JSON of a GraphQL request. Most of it is a document that was sent before: its text is not read again. */
import { remembered } from '../lib/remembered.ts';

/** As most clients write it. */
const start = '{"query":"';
/** Room for what the frontends of a shop send. */
const maxDocuments = 300;
const maxLength = 5000;

/** What documents are called in JSON, and their texts: the same object each time, whose hash is known. */
const documents = remembered<string>('document_texts', maxDocuments);

/** As JSON.parse, also in what it throws. */
export function parseBody(text: string): unknown {
  const end = text.startsWith(start) ? endOfString(text) : -1;
  if (end === -1 || end > maxLength) return JSON.parse(text);
  const quoted = text.slice(start.length - 1, end + 1);
  let query = documents.get(quoted);
  if (query === undefined) {
    query = JSON.parse(quoted) as string;
    // A copy: a part of the body would keep all of it.
    documents.set(Buffer.from(quoted).toString(), query);
  }
  const next = text[end + 1];
  if (next === '}' && end + 2 === text.length) return { query };
  // What follows in another way is rare, or no JSON.
  if (next !== ',' || text[end + 2] !== '"') return JSON.parse(text);
  const others = JSON.parse(`{${text.slice(end + 2)}`) as object;
  return { query, ...others };
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

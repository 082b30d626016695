/** What the client reads off a document. */

/** A document that knows its types: the ones in `duet-client-graphql/operations`, or what `graphql(…)` of a client preset makes. */
export interface Document<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
  readonly __meta__?: Record<string, unknown> | undefined;
}

interface Text {
  toString(): string;
  readonly __meta__?: Record<string, unknown> | undefined;
}

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** What a gateway of trusted documents knows it by: the id it was made with, otherwise the SHA-256 of its text. */
export async function documentIdOf(document: Text): Promise<string> {
  const { documentId } = document.__meta__ ?? {};
  if (typeof documentId === 'string') return documentId;
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document.toString())));
}

/** Whether sending it twice does no harm: a query, after its fragments. Where the text leaves a doubt, it is not. */
export const isRead = (document: Text): boolean => {
  const text = document.toString();
  return /^[\s,]*(?:fragment [\s\S]*?\n\}\s+)*(?:query\b|\{)/.test(text) && !/\bmutation\b/.test(text);
};

/** Documents that the client runs: their type, id, and whether a retry is safe. */

/** A typed document: from `@duet-gateway/client-graphql/operations`, `gql`, or `graphql(…)` of the client preset of GraphQL Code Generator. */
export interface Document<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
  readonly __meta__?: Record<string, unknown> | undefined;
}

interface UntypedDocument {
  toString(): string;
  readonly __meta__?: Record<string, unknown> | undefined;
}

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Id for trusted documents: the id of the code generator, otherwise the SHA-256 of the text. */
export async function documentIdOf(document: UntypedDocument): Promise<string> {
  const { documentId } = document.__meta__ ?? {};
  if (typeof documentId === 'string') return documentId;
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document.toString())));
}

/** Whether the document is a query, which may follow fragments, and can be retried. False if the text is ambiguous. */
export const isQuery = (document: UntypedDocument): boolean => {
  const text = document.toString();
  return /^[\s,]*(?:fragment [\s\S]*?\n\}\s+)*(?:query\b|\{)/.test(text) && !/\bmutation\b/.test(text);
};

/** All the client a typed document needs. */
import type { TypedDocumentString } from './generated/graphql';

export interface Failure {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; details: { field: string; error: string; message: string }[] };
}

export class GraphqlError extends Error {
  readonly failures: Failure[];
  constructor(failures: Failure[]) {
    super(failures.map(({ message }) => message).join('; '));
    this.failures = failures;
  }
}

export interface Client {
  /** Sends a document; what comes back has the shape of what it selects. */
  run<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result>;
  /** From now on as whoever this token belongs to. */
  signIn(accessToken: string): void;
}

export interface ClientOptions {
  /** Send the ids of documents instead of their texts, as a gateway of trusted documents wants it. */
  trusted?: boolean;
}

export function createClient(base: string, { trusted = false }: ClientOptions = {}): Client {
  let token: string | undefined;
  return {
    signIn(accessToken) {
      token = accessToken;
    },
    async run(document, variables) {
      const response = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json, application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(
          trusted
            ? { documentId: document.__meta__?.documentId, variables }
            : { query: document.toString(), variables },
        ),
      });
      const { data, errors } = (await response.json()) as { data?: unknown; errors?: Failure[] };
      if (errors) throw new GraphqlError(errors);
      return data as never;
    },
  };
}

/** Sends typed GraphQL documents to the gateway. */
import { gatewayUrl } from '../config.ts';
import type { TypedDocumentString } from '../generated/graphql.ts';

export interface ErrorDetail {
  field: string;
  error: string;
  message: string;
}

/** Error of the gateway, with the invalid fields. */
export class GatewayError extends Error {
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  constructor(code: string, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

interface GraphqlResponse<Result> {
  data?: Result;
  errors?: { message: string; extensions?: { code?: string; details?: ErrorDetail[] } }[];
}

export interface SendOptions {
  /** Access token. Without it only public data is readable. */
  token?: string | undefined;
  /** Makes a repeated mutation return the first result. */
  idempotencyKey?: string | undefined;
  /** Address of the visitor: the gateway limits attempts by address, and would otherwise count all visitors together. */
  forwardedFor?: string | undefined;
}

export async function send<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { token, idempotencyKey, forwardedFor }: SendOptions = {},
): Promise<Result> {
  const response = await fetch(`${gatewayUrl}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    signal: AbortSignal.timeout(15_000),
  });
  const { data, errors } = (await response.json()) as GraphqlResponse<Result>;
  const [first] = errors ?? [];
  if (first)
    throw new GatewayError(first.extensions?.code ?? 'INTERNAL', first.message, first.extensions?.details);
  if (!data) throw new GatewayError('INTERNAL', `The gateway responded ${response.status}.`);
  return data;
}

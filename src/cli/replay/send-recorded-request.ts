/** Sends a recorded REST read again: by REST, or as the stored operation of its route by GraphQL. */
import { OperatorError } from '../../lib/operator-errors.ts';
import { translateRequest } from '../../rest/translation/translate-request.ts';
import type { RecordedRequest } from './parse-recorded-requests.ts';

/** Comparable part of a response: the body, or the error code. */
export type ReplayedResponse = { body: unknown } | { errorCode: string };

const timeoutMs = 30_000;

async function send(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: unknown) => {
      // Without this, two gateways that are both down would have no differences.
      throw new OperatorError(`No response from ${new URL(url).origin}.`, { cause: error });
    },
  );
  const body: unknown = await response.json().catch(() => null);
  return { status: response.status, body };
}

export async function replayByRest(
  base: string,
  { path, headers }: RecordedRequest,
): Promise<ReplayedResponse> {
  const { status, body } = await send(new URL(path, base).href, { headers });
  if (status < 400) return { body };
  const { error, code } = (body ?? {}) as { error?: string; code?: string };
  return { errorCode: error ?? code ?? `status ${status}` };
}

interface GraphqlBody {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

/** Undefined: the path has no route, so that there is no operation to compare with. */
export async function replayByGraphql(
  base: string,
  { path, headers }: RecordedRequest,
): Promise<ReplayedResponse | undefined> {
  const translated = translateRequest({ method: 'GET', path, headers, body: {} });
  if (!translated) return undefined;
  const { document, parsedRoute, variables, toRestBody } = translated;
  const { body } = await send(new URL('/graphql', base).href, {
    method: 'POST',
    headers: { ...translated.headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: document, operationName: parsedRoute.route.operation.name, variables }),
  });
  const { data, errors } = (body ?? {}) as GraphqlBody;
  if (errors?.[0]) return { errorCode: errors[0].extensions?.code ?? 'no code' };
  const restBody = toRestBody(data);
  return restBody === undefined ? { errorCode: 'NOT_FOUND' } : { body: restBody };
}

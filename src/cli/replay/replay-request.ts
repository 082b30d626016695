/** Sends a recorded REST read again: by REST, or as the stored operation of its route by GraphQL. */
import { AppError } from '../../errors.ts';
import { routes } from '../../generated/domains/routes.ts';
import { coerceVariables, lenientRestRules } from '../../graphql/execute/coerce-variables.ts';
import { createCompiledRouteCache } from '../../rest/compiled-route-cache.ts';
import { removeNullsInPlace } from '../../rest/json-body.ts';
import { getSharedProtocolHandlers } from '../../rest/protocol-handlers.ts';
import { createRouteMatcher } from '../../rest/route-matcher.ts';
import { parseFieldsParam } from '../../rest/sparse-fields.ts';
import type { RecordedRequest } from './recorded-requests.ts';

/** Comparable part of a response: the body, or the error code. */
export type ReplayedResponse = { body: unknown } | { errorCode: string };

const timeoutMs = 30_000;

async function send(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
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
  const { pathname, search } = new URL(path, base);
  const match = createRouteMatcher(routes).match('GET', pathname);
  if (!match || !('route' in match)) return undefined;
  const compiledRoutes = createCompiledRouteCache(getSharedProtocolHandlers(false).executor);
  const query = search.slice(1);
  const { compiled, operation } = compiledRoutes.full(match.route);
  const values = compiled.variables({ path: match.path, query, body: {}, ifMatch: undefined });
  const { variables, issues } = coerceVariables(operation.variableTypes, values, lenientRestRules);
  const narrowed = compiledRoutes.withFields(match.route, fieldsOf(query), 'replay').executable;
  const { body } = await send(new URL('/graphql', base).href, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      query: narrowed.operation.document.loc?.source.body,
      operationName: narrowed.operation.name,
      variables: issues.length > 0 ? values : variables,
    }),
  });
  const { data, errors } = (body ?? {}) as GraphqlBody;
  if (errors?.[0]) return { errorCode: errors[0].extensions?.code ?? 'no code' };
  const mapped = data ? narrowed.compiled.responseBody(data) : null;
  if (typeof mapped !== 'object' || mapped === null) return { errorCode: 'NOT_FOUND' };
  removeNullsInPlace(mapped);
  return { body: JSON.parse(JSON.stringify(mapped)) };
}

/** Invalid fields select the whole record here; the error of REST is then reported as a difference. */
function fieldsOf(query: string): string {
  try {
    return parseFieldsParam(query);
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
}

/** Cache of compiled routes: complete, and narrowed to the fields of `?fields=`. */
import type { ErrorDetail } from '../errors.ts';
import type { DocumentPreparer } from '../graphql/execute/document-preparer.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document-types.ts';
import { isDeprecatedCoordinate } from '../graphql/schema/deprecations.ts';
import { createNamedLru } from '../lib/cache/named-lru.ts';
import type { UsageSubject } from '../ports/usage.ts';
import { type CompiledRouteMapping, compileRouteMapping } from './compile-route.ts';
import { createPrerenderedResponseReader, type ReadPrerenderedResponse } from './create-rest-responses.ts';
import type { RestRoute } from './route.ts';
import { narrowOperationToFields, responseRecordPathOf } from './sparse-fields.ts';

export interface ExecutableRoute {
  operation: PreparedOperation;
  compiled: CompiledRouteMapping;
  readPrerendered: ReadPrerenderedResponse;
  /** Subject of the usage statistics. */
  usage: UsageSubject;
  /** Whether responses have an ETag: narrowed records only if `version` is selected. */
  hasEtag: boolean;
  /** Deprecated fields of the response that `?fields=` selects. */
  deprecatedFields: readonly string[];
}

interface CompiledRouteCache {
  full(route: RestRoute): ExecutableRoute;
  /** The route narrowed to these fields; the complete route if `fields` is empty or the route returns no records. */
  withFields(
    route: RestRoute,
    fields: string,
    caller: string,
  ): { executable: ExecutableRoute; errors: readonly ErrorDetail[] };
}

/** Each narrowed route retains a document and possibly its compiled code. */
const maxNarrowed = 200;

export function createCompiledRouteCache(preparer: DocumentPreparer): CompiledRouteCache {
  // Compiled on first use, to keep start-up fast.
  const fullRoutes = new Map<RestRoute, ExecutableRoute>();
  const narrowedRoutes = createNamedLru<ExecutableRoute>('narrowed_routes', maxNarrowed);

  function full(route: RestRoute): ExecutableRoute {
    let executable = fullRoutes.get(route);
    if (!executable) {
      executable = createExecutable(preparer, route);
      fullRoutes.set(route, executable);
    }
    return executable;
  }

  return {
    full,
    withFields(route, fields, caller) {
      const path = fields === '' ? undefined : responseRecordPathOf(route);
      if (!path) return { executable: full(route), errors: [] };
      const key = `${route.path}?${fields}`;
      const cached = narrowedRoutes.get(key);
      if (cached) return { executable: cached, errors: [] };
      const source = narrowOperationToFields(route, path, fields);
      if (typeof source !== 'string') return { executable: full(route), errors: source };
      const narrowed = createExecutable(preparer, route, { source, caller });
      const executable: ExecutableRoute = {
        ...narrowed,
        hasEtag: fields.split(',').includes('version'),
        deprecatedFields: narrowed.operation.schemaUsage().fields.filter(isDeprecatedCoordinate),
      };
      narrowedRoutes.set(key, executable);
      return { executable, errors: [] };
    },
  };
}

/** Method and path in OpenAPI notation. */
const usageName = ({ method, path }: RestRoute) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;

/** A narrowed document is limited and cached like a document that the client sends to GraphQL. */
function createExecutable(
  preparer: DocumentPreparer,
  route: RestRoute,
  narrowed?: { source: string; caller: string },
): ExecutableRoute {
  const prepared = preparer.prepare(narrowed?.source ?? route.operation.source, narrowed?.caller);
  const operation = prepared.operation(route.operation.name);
  if (!operation) throw new Error(`${route.method} ${route.path}: ${prepared.errors.map(String).join('; ')}`);
  return {
    operation,
    compiled: compileRouteMapping(route, operation.variableTypes),
    readPrerendered: createPrerenderedResponseReader(operation, route.response),
    usage: { kind: 'ROW', name: usageName(route), fields: [] },
    hasEtag: true,
    deprecatedFields: [],
  };
}

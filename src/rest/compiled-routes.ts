/** Rows made ready to run: each as a whole, and cut down to the fields that callers want. */
import type { ErrorDetail } from '../errors.ts';
import type { Executor } from '../graphql/execute/executor.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document.ts';
import { isDeprecatedCoordinate } from '../graphql/schema/deprecations.ts';
import { createNamedLru } from '../lib/cache/named-lru.ts';
import type { UsageSubject } from '../ports/usage.ts';
import { type CompiledRoute, compileRoute } from './compile-route.ts';
import { createPrerenderedReader, type PrerenderedReader } from './prerendered-response.ts';
import type { RestRoute } from './route.ts';
import { narrowOperation, recordPathOf } from './sparse-fields.ts';

export interface ExecutableRoute {
  operation: PreparedOperation;
  compiled: CompiledRoute;
  readPrerendered: PrerenderedReader;
  /** What a call of it counts for. */
  usage: UsageSubject;
  /** Whether its answers have an ETag: a part of a record has one only if it says the version. */
  hasEtag: boolean;
  /** What is on its way out of the answer and was asked for by its name, or within what was. */
  deprecatedFields: readonly string[];
}

export interface CompiledRoutes {
  full(row: RestRoute): ExecutableRoute;
  /** The row with nothing but these fields; the whole row when there are none, or when it answers no records. */
  withFields(
    row: RestRoute,
    fields: string,
    caller: string,
  ): { part: ExecutableRoute; faults: readonly ErrorDetail[] };
}

/** Parts that are kept: each holds a document, and perhaps the code made for it. */
const maxParts = 200;

export function createCompiledRoutes(executor: Executor): CompiledRoutes {
  // Compiled on first use: starting up should not wait for rows that nobody calls.
  const whole = new Map<RestRoute, ExecutableRoute>();
  const parts = createNamedLru<ExecutableRoute>('row_parts', maxParts);

  function row(asked: RestRoute): ExecutableRoute {
    let known = whole.get(asked);
    if (!known) {
      known = makeReady(executor, asked);
      whole.set(asked, known);
    }
    return known;
  }

  return {
    full: row,
    withFields(asked, fields, caller) {
      const path = fields === '' ? undefined : recordPathOf(asked);
      if (!path) return { part: row(asked), faults: [] };
      const key = `${asked.path}?${fields}`;
      const known = parts.get(key);
      if (known) return { part: known, faults: [] };
      const source = narrowOperation(asked, path, fields);
      if (typeof source !== 'string') return { part: row(asked), faults: source };
      const isTagged = fields.split(',').includes('version');
      const made = makeReady(executor, asked, { source, caller });
      const part = {
        ...made,
        isTagged,
        outdated: made.operation.schemaUsage().fields.filter(isDeprecatedCoordinate),
      };
      parts.set(key, part);
      return { part, faults: [] };
    },
  };
}

/** As the printed contract writes it. */
const rowName = ({ method, path }: RestRoute) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;

/** Documents of callers' own making are weighed and kept as those they send to GraphQL. */
function makeReady(
  executor: Executor,
  row: RestRoute,
  own?: { source: string; caller: string },
): ExecutableRoute {
  const prepared = executor.prepare(own?.source ?? row.operation.source, own?.caller);
  const operation = prepared.operation(row.operation.name);
  if (!operation) throw new Error(`${row.method} ${row.path}: ${prepared.errors.map(String).join('; ')}`);
  return {
    operation,
    compiled: compileRoute(row, operation.variableTypes),
    readPrerendered: createPrerenderedReader(operation, row.answer),
    usage: { kind: 'ROW', name: rowName(row), fields: [] },
    hasEtag: true,
    deprecatedFields: [],
  };
}

/** Rows made ready to run: each as a whole, and cut down to the fields that callers want. */
import type { ErrorDetail } from '../errors.ts';
import { isDeprecated } from '../graphql/deprecations.ts';
import type { Operation } from '../graphql/executable.ts';
import type { Executor } from '../graphql/executor.ts';
import { remembered } from '../lib/remembered.ts';
import type { Use } from '../ports/usage.ts';
import { type CompiledRow, compileRow } from './compile.ts';
import { narrowed, recordPath } from './fields.ts';
import type { Row } from './row.ts';
import { createTextReader, type TextReader } from './texts.ts';

export interface ReadyRow {
  operation: Operation;
  compiled: CompiledRow;
  readText: TextReader;
  /** What a call of it counts for. */
  use: Use;
  /** Whether its answers have an ETag: a part of a record has one only if it says the version. */
  isTagged: boolean;
  /** What is on its way out of the answer and was asked for by its name, or within what was. */
  outdated: readonly string[];
}

export interface ReadyRows {
  row(row: Row): ReadyRow;
  /** The row with nothing but these fields; the whole row when there are none, or when it answers no records. */
  part(row: Row, fields: string, caller: string): { part: ReadyRow; faults: readonly ErrorDetail[] };
}

/** Parts that are kept: each holds a document, and perhaps the code made for it. */
const maxParts = 200;

export function createReadyRows(executor: Executor): ReadyRows {
  // Compiled on first use: starting up should not wait for rows that nobody calls.
  const whole = new Map<Row, ReadyRow>();
  const parts = remembered<ReadyRow>('row_parts', maxParts);

  function row(asked: Row): ReadyRow {
    let known = whole.get(asked);
    if (!known) {
      known = makeReady(executor, asked);
      whole.set(asked, known);
    }
    return known;
  }

  return {
    row,
    part(asked, fields, caller) {
      const path = fields === '' ? undefined : recordPath(asked);
      if (!path) return { part: row(asked), faults: [] };
      const key = `${asked.path}?${fields}`;
      const known = parts.get(key);
      if (known) return { part: known, faults: [] };
      const source = narrowed(asked, path, fields);
      if (typeof source !== 'string') return { part: row(asked), faults: source };
      const isTagged = fields.split(',').includes('version');
      const made = makeReady(executor, asked, { source, caller });
      const part = { ...made, isTagged, outdated: made.operation.use().fields.filter(isDeprecated) };
      parts.set(key, part);
      return { part, faults: [] };
    },
  };
}

/** As the printed contract writes it. */
const rowName = ({ method, path }: Row) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;

/** Documents of callers' own making are weighed and kept as those they send to GraphQL. */
function makeReady(executor: Executor, row: Row, own?: { source: string; caller: string }): ReadyRow {
  const prepared = executor.prepare(own?.source ?? row.operation.source, own?.caller);
  const operation = prepared.operation(row.operation.name);
  if (!operation) throw new Error(`${row.method} ${row.path}: ${prepared.errors.map(String).join('; ')}`);
  return {
    operation,
    compiled: compileRow(row, operation.variableTypes),
    readText: createTextReader(operation, row.answer),
    use: { kind: 'ROW', name: rowName(row), fields: [] },
    isTagged: true,
    outdated: [],
  };
}

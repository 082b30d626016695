/**
 * Batching per tick of the event loop: queries of one tick are sent together at its end. A query never joins a statement that was
 * already sent, so that its result includes every change committed before the query was made.
 */
import { isInvalidStatementError } from '../classify-db-errors.ts';
import type { Db } from '../handles.ts';

let tickCallbacks: (() => void)[] | undefined;

/** Runs `run` at the end of this tick, together with all others that were registered. */
export function runAtTickEnd(run: () => void): void {
  if (!tickCallbacks) {
    tickCallbacks = [];
    setImmediate(() => {
      const callbacks = tickCallbacks ?? [];
      tickCallbacks = undefined;
      for (const callback of callbacks) callback();
    });
  }
  tickCallbacks.push(run);
}

/**
 * Collects the queries of a tick. `load` receives all of them and returns their results in the same order. If the database rejects the
 * batch, each query is loaded by a statement of its own, so that an invalid query of one caller fails alone.
 * With FAST_PATH=off `load` receives each query alone, at once.
 */
export function createBatcher<Query, Result>(
  { batching }: Pick<Db, 'batching'>,
  load: (queries: readonly Query[]) => Promise<readonly Result[]>,
): (query: Query) => Promise<Result> {
  if (!batching) return async (query) => (await load([query]))[0] as Result;
  let queries: Query[] | undefined;
  let results: Promise<readonly Result[]>;
  return async (query) => {
    if (!queries) {
      const batch: Query[] = [];
      queries = batch;
      results = new Promise((resolve) =>
        runAtTickEnd(() => {
          queries = undefined;
          resolve(load(batch));
        }),
      );
    }
    const batch = queries;
    const index = batch.push(query) - 1;
    try {
      return (await results)[index] as Result;
    } catch (error) {
      if (batch.length === 1 || !isInvalidStatementError(error)) throw error;
      return (await load([query]))[0] as Result;
    }
  };
}

type Reader = Pick<Db, 'shortRead' | 'batching'>;

/** Values created in this tick, by read function of the database, statement and parameters. All handles of a database share the function. */
export class PerTickMap<Value> {
  // PERF: keyed by statement first. The text is long, but equal texts are the same string, whose hash is cached.
  readonly #created = new WeakMap<Reader['shortRead'], Map<string, Map<string, Value>>>();

  getOrCreate(db: Reader, text: string, params: readonly unknown[], create: () => Value): Value {
    const created = this.#created.get(db.shortRead) ?? new Map<string, Map<string, Value>>();
    this.#created.set(db.shortRead, created);
    let byParams = created.get(text);
    if (!byParams) {
      byParams = new Map();
      created.set(text, byParams);
      runAtTickEnd(() => created.delete(text));
    }
    const key = JSON.stringify(params);
    let value = byParams.get(key);
    if (value === undefined) {
      value = create();
      byParams.set(key, value);
    }
    return value;
  }
}

const statements = new PerTickMap<Promise<readonly unknown[]>>();

/** Runs a short read once for all requests with the same statement and parameters in this tick. The rows are shared: do not modify them. */
export function readOncePerTick<Row>(
  db: Reader,
  text: string,
  params: readonly unknown[],
): Promise<readonly Row[]> {
  if (!db.batching) return db.shortRead<Row>(text, params);
  const create = () =>
    new Promise<readonly unknown[]>((resolve) => runAtTickEnd(() => resolve(db.shortRead(text, params))));
  return statements.getOrCreate(db, text, params, create) as Promise<readonly Row[]>;
}

/**
 * Batching per tick of the event loop: queries of one tick are sent together at its end. A query never joins a statement that was
 * already sent, so that its result includes every change committed before the query was made.
 */
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

/** Collects the queries of a tick. `load` receives all of them and returns their results in the same order. */
export function createBatcher<Query, Result>(
  load: (queries: readonly Query[]) => Promise<readonly Result[]>,
): (query: Query) => Promise<Result> {
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
    const index = queries.push(query) - 1;
    return (await results)[index] as Result;
  };
}

type Reader = Pick<Db, 'shortRead'>;

/** Values created in this tick, by read function of the database, statement and parameters. All handles of a database share the function. */
export class TickMap<Value> {
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

const statements = new TickMap<Promise<readonly unknown[]>>();

/** Runs a short read once for all requests with the same statement and parameters in this tick. The rows are shared: do not modify them. */
export function readOncePerTick<Row>(
  db: Reader,
  text: string,
  params: readonly unknown[],
): Promise<readonly Row[]> {
  const create = () =>
    new Promise<readonly unknown[]>((resolve) => runAtTickEnd(() => resolve(db.shortRead(text, params))));
  return statements.getOrCreate(db, text, params, create) as Promise<readonly Row[]>;
}

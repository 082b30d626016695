/**
 * The read lane: short statements share a few connections and are sent without waiting for each other's answers.
 * What may take long must not come here, since everything behind it on its connection would wait.
 */
import pg from 'pg';
import { classifyDbError } from '../errors.ts';
import { destroySocket, isUnresponsive } from './dead-connections.ts';
import type { PreparedNames } from './prepared-names.ts';

export interface ReadPipelineOptions {
  /** How each of its connections is opened. */
  Client: typeof pg.Client;
  connection: pg.ClientConfig;
  /** At most this many. */
  size: number;
  names: PreparedNames;
  types: pg.CustomTypesConfig;
  /** Sent first on every connection; `meet` is given the results before any other answer comes. */
  setupSql: string;
  onSetupResults(results: pg.QueryResult | pg.QueryResult[]): void;
  onError: (error: Error) => void;
  /** Hears of statements that were not short, and how many milliseconds they took. */
  onSlowRead: (text: string, ms: number) => void;
  /** Asks once more, elsewhere, what a broken connection left without an answer. */
  retryElsewhere<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
}

export interface ReadPipeline {
  query<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Line {
  client: pg.Client;
  /** How many statements have no answer yet. */
  waiting: number;
  /** When the last answer came: the next statement cannot have begun before. */
  answeredAt: number;
}

/** A statement that takes longer than this holds up others, and is none for this lane. */
const longMs = 100;

export function openReadPipeline(options: ReadPipelineOptions): ReadPipeline {
  const {
    Client,
    connection,
    size,
    names,
    types,
    setupSql: setUp,
    onSetupResults: meet,
    onError,
    onSlowRead: onLong,
    retryElsewhere: again,
  } = options;
  const lines = new Set<Line>();
  let closed = false;

  function open(): Line {
    const client = new Client({ ...connection, pipeline: true });
    const line: Line = { client, waiting: 0, answeredAt: 0 };
    lines.add(line);
    client.on('error', (error) => lose(line, error));
    client.once('end', () => lines.delete(line));
    // What is asked meanwhile waits in the client's queue, and fails with the connection if there will be none.
    client.connect().catch(() => lines.delete(line));
    const prepare = `${setUp}; SET default_transaction_read_only = on`;
    client.query(prepare, (error: Error | null, results: unknown) =>
      error ? void drop(line) : meet(results as pg.QueryResult[]),
    );
    return line;
  }

  /** Whether it was still in use. */
  function drop(line: Line): boolean {
    if (!lines.delete(line)) return false;
    // Goodbye waits for the answers that are still to come.
    void line.client.end().catch(() => {});
    return true;
  }

  /** The connection, or the statements on it, hear of the loss first: it is told once. */
  function lose(line: Line, error: Error): void {
    if (drop(line)) onError(error);
  }

  function leastBusy(): Line {
    let best: Line | undefined;
    for (const line of lines) if (!best || line.waiting < best.waiting) best = line;
    return best && (best.waiting === 0 || lines.size >= size) ? best : open();
  }

  function send<Row>(line: Line, text: string, params: readonly unknown[]): Promise<Row[]> {
    line.waiting += 1;
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      const query = { text, values: [...params], types, name: names.of(text) };
      line.client.query(query, (error: Error | null, result: pg.QueryResult) => {
        line.waiting -= 1;
        const answeredAt = performance.now();
        const took = answeredAt - Math.max(sentAt, line.answeredAt);
        line.answeredAt = answeredAt;
        if (took > longMs) onLong(text, took);
        if (error) reject(error);
        else resolve(result.rows as Row[]);
      });
    });
  }

  return {
    async query<Row>(text: string, params: readonly unknown[]) {
      if (closed) return again<Row>(text, params);
      const line = leastBusy();
      try {
        return await send<Row>(line, text, params);
      } catch (error) {
        if (isStalePreparedStatement(error)) names.forget(text);
        else if (isLost(error)) lose(line, error as Error);
        else if (isUnresponsive(error)) {
          lose(line, error as Error);
          destroySocket(line.client);
          throw error;
        } else throw error;
        return again<Row>(text, params);
      }
    },
    async close() {
      closed = true;
      await Promise.all([...lines].map(({ client }) => client.end().catch(() => {})));
    },
  };
}

/** The connection has ended, with or without a word of the server. */
function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '');
  return classifyDbError(error)?.kind === 'unavailable';
}

/**
 * The table has changed under a prepared `SELECT *`, or the statement that should have prepared this one failed: under a new name,
 * or on another connection, it is prepared anew.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.includes('cached plan'));
}

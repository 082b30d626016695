/**
 * Pipelined connections for short reads: statements share a few connections and are sent without waiting for each other's results.
 * Long statements must use the pool instead, because every later statement of the connection would wait behind them.
 */
import pg from 'pg';
import { PreparedQuery } from '../../vendor/pg/prepared-query.ts';
import { classifyDbError } from '../classify-db-errors.ts';
import { destroyUnresponsiveSocket, isUnresponsiveConnectionError } from './dead-connections.ts';
import type { PreparedStatementNames } from './prepared-statement-names.ts';

export interface ReadPipelineOptions {
  /** Class of the connections. */
  Client: typeof pg.Client;
  connection: pg.ClientConfig;
  /** Maximum number of connections. */
  size: number;
  names: PreparedStatementNames;
  types: pg.CustomTypesConfig;
  /** False with FAST_PATH=off. */
  batching: boolean;
  /** First statements of every connection. `onSetupResults` receives their results before any other result arrives. */
  setupSql: string;
  onSetupResults(results: pg.QueryResult | pg.QueryResult[]): void;
  onError: (error: Error) => void;
  /** Receives statements that took longer than 100 ms, with their duration. */
  onSlowRead: (text: string, ms: number) => void;
  /** Retries on the pool a statement whose connection broke before its result arrived. */
  retryElsewhere<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
}

export interface ReadPipeline {
  query<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface PipelinedConnection {
  client: pg.Client;
  /** Statements without a result yet. */
  waiting: number;
  /** Time of the last result. The server started the next statement no earlier. */
  answeredAt: number;
}

/** A statement that takes longer delays others and should use the pool. */
const slowMs = 100;

export function openReadPipeline(options: ReadPipelineOptions): ReadPipeline {
  const {
    Client,
    connection,
    size,
    names,
    types,
    batching,
    setupSql,
    onSetupResults,
    onError,
    onSlowRead,
    retryElsewhere,
  } = options;
  const connections = new Set<PipelinedConnection>();
  let closed = false;

  function open(): PipelinedConnection {
    const client = new Client({ ...connection, pipeline: true });
    const pipelined: PipelinedConnection = { client, waiting: 0, answeredAt: 0 };
    connections.add(pipelined);
    client.on('error', (error) => reportLoss(pipelined, error));
    client.once('end', () => connections.delete(pipelined));
    // Statements sent before the connection is open wait in the client's queue, and fail if it cannot be opened.
    client.connect().catch(() => connections.delete(pipelined));
    const setupScript = `${setupSql}; SET default_transaction_read_only = on`;
    client.query(setupScript, (error: Error | null, results: unknown) =>
      error ? void drop(pipelined) : onSetupResults(results as pg.QueryResult[]),
    );
    return pipelined;
  }

  /** Returns whether the connection was still in use. */
  function drop(pipelined: PipelinedConnection): boolean {
    if (!connections.delete(pipelined)) return false;
    // `end` waits for outstanding results.
    void pipelined.client.end().catch(() => {});
    return true;
  }

  /** Reports a lost connection once, although both its `error` event and its statements fail. */
  function reportLoss(pipelined: PipelinedConnection, error: Error): void {
    if (drop(pipelined)) onError(error);
  }

  function leastBusy(): PipelinedConnection {
    let best: PipelinedConnection | undefined;
    for (const pipelined of connections) if (!best || pipelined.waiting < best.waiting) best = pipelined;
    return best && (best.waiting === 0 || connections.size >= size) ? best : open();
  }

  function send<Row>(
    pipelined: PipelinedConnection,
    text: string,
    params: readonly unknown[],
  ): Promise<Row[]> {
    pipelined.waiting += 1;
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      const callback = (error: Error | null, result: pg.QueryResult) => {
        pipelined.waiting -= 1;
        const answeredAt = performance.now();
        const durationMs = answeredAt - Math.max(sentAt, pipelined.answeredAt);
        pipelined.answeredAt = answeredAt;
        if (durationMs > slowMs) onSlowRead(text, durationMs);
        if (error) reject(error);
        else resolve(result.rows as Row[]);
      };
      const name = names.of(text);
      const query =
        name !== undefined && batching
          ? new PreparedQuery({ text, values: params, types, name, describeOnce: true })
          : { text, values: [...params], types, name };
      Reflect.apply(pipelined.client.query, pipelined.client, [query, callback]);
    });
  }

  return {
    async query<Row>(text: string, params: readonly unknown[]) {
      if (closed) return retryElsewhere<Row>(text, params);
      const pipelined = leastBusy();
      try {
        return await send<Row>(pipelined, text, params);
      } catch (error) {
        if (isStalePreparedStatementError(error)) names.forget(text);
        else if (isLost(error)) reportLoss(pipelined, error as Error);
        else if (isUnresponsiveConnectionError(error)) {
          reportLoss(pipelined, error as Error);
          destroyUnresponsiveSocket(pipelined.client);
          throw error;
        } else throw error;
        return retryElsewhere<Row>(text, params);
      }
    },
    async close() {
      closed = true;
      await Promise.all([...connections].map(({ client }) => client.end().catch(() => {})));
    },
  };
}

/** The connection has ended, with or without an error message of the server. */
function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '');
  return classifyDbError(error)?.kind === 'unavailable';
}

/**
 * The prepared statement is unusable: its table changed under `SELECT *` (0A000), or the name does not exist because preparing it
 * failed (26000). Prepare it again under a new name or on another connection.
 */
export function isStalePreparedStatementError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.includes('cached plan'));
}

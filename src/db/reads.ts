/** Short reads: the lane to the primary, and those to its replicas. */
import pg from 'pg';
import { leaveStandby, setUp } from './acquaintance.ts';
import { type LaneOptions, openLane, type ReadLane } from './lane.ts';
import type { Primary } from './primary.ts';
import { createReplicas, type Follower } from './replicas.ts';
import type { Db, OnStatement, Replicas } from './sql.ts';
import type { StatementNames } from './statement-names.ts';
import { tracedStatement } from './traced-statement.ts';
import { typeParsers } from './type-parsers.ts';

export interface ReadsOptions extends Pick<LaneOptions, 'meet' | 'again' | 'onError'> {
  primary: Primary;
  connection: pg.ClientConfig;
  replicaUrls: readonly string[];
  replicaMaxLagMs: number;
  names: StatementNames;
  onStatement: OnStatement | undefined;
  onLongRead: LaneOptions['onLong'];
}

export interface Reads {
  short: Db['short'];
  replicas: Replicas | undefined;
  close(): Promise<void>;
}

/** Connections that short reads share: a few go a long way, since none of them waits for an answer. */
const laneSize = 2;
/** A replica that does not answer soon is passed over. */
const replicaTimes = { connectionTimeoutMillis: 2_000, query_timeout: 3_000 };

export function openReads(options: ReadsOptions): Reads {
  const { primary, connection, replicaUrls, replicaMaxLagMs, names, meet, again, onStatement, onError } =
    options;
  const open = (
    own: pg.ClientConfig,
    rest: Pick<LaneOptions, 'Client' | 'setUp' | 'meet' | 'again'>,
  ): ReadLane =>
    openLane({
      connection: { ...connection, ...own },
      size: laneSize,
      names,
      types: typeParsers,
      onError,
      onLong: options.onLongRead,
      ...rest,
    });
  const watched =
    (lane: ReadLane): Db['short'] =>
    (text, params = []) => {
      onStatement?.(text);
      return tracedStatement(text, () => lane.ask(text, params));
    };

  const lane = open(
    {},
    { Client: primary.Client, setUp: primary.moves ? `${setUp}; ${leaveStandby}` : setUp, meet, again },
  );
  const short = watched(lane);
  const follower = (connectionString: string): Follower => {
    const own = { connectionString, ...replicaTimes };
    const line = open(own, { Client: pg.Client, setUp, meet: () => {}, again: gone });
    return { name: new URL(connectionString).host, ask: watched(line), close: line.close };
  };
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : createReplicas({
          followers: inOwnOrder(replicaUrls).map(follower),
          primary: short,
          maxLagMs: replicaMaxLagMs,
          onError,
        });
  return {
    short,
    replicas,
    async close() {
      await Promise.all([lane.close(), replicas?.close()]);
    },
  };
}

/** Who reads from a replica asks the primary next, and not the same replica again. */
const gone = () => Promise.reject(new Error('Connection terminated: the replica is gone.'));

/** Each process prefers another one, and stays with it: its readers do not go back in time from one to the next. */
function inOwnOrder(urls: readonly string[]): string[] {
  const first = process.pid % urls.length;
  return [...urls.slice(first), ...urls.slice(0, first)];
}

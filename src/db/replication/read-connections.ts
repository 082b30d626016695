/** Short reads: the lane to the primary, and those to its replicas. */
import pg from 'pg';
import type { Db, OnStatement, ReplicaRouter } from '../handles.ts';
import {
  openReadPipeline,
  type ReadPipeline,
  type ReadPipelineOptions,
} from '../postgres/pipelined-reads.ts';
import type { PreparedNames } from '../postgres/prepared-names.ts';
import { sessionSetupSql, terminateOnStandbySql } from '../postgres/server-identity.ts';
import { pgTypeParsers } from '../postgres/type-parsers.ts';
import { traceStatement } from '../statement-tracing.ts';
import type { PrimaryLocator } from './primary-locator.ts';
import { createReplicaRouter, type ReplicaConnection } from './replica-router.ts';

export interface ReadConnectionsOptions
  extends Pick<ReadPipelineOptions, 'onSetupResults' | 'retryElsewhere' | 'onError'> {
  primary: PrimaryLocator;
  connection: pg.ClientConfig;
  replicaUrls: readonly string[];
  replicaMaxLagMs: number;
  names: PreparedNames;
  onStatement: OnStatement | undefined;
  onSlowRead: ReadPipelineOptions['onSlowRead'];
}

export interface ReadConnections {
  shortRead: Db['shortRead'];
  replicas: ReplicaRouter | undefined;
  close(): Promise<void>;
}

/** Connections that short reads share: a few go a long way, since none of them waits for an answer. */
const laneSize = 2;
/** A replica that does not answer soon is passed over. */
const replicaTimes = { connectionTimeoutMillis: 2_000, query_timeout: 3_000 };

export function openReadConnections(options: ReadConnectionsOptions): ReadConnections {
  const {
    primary,
    connection,
    replicaUrls,
    replicaMaxLagMs,
    names,
    onSetupResults: meet,
    retryElsewhere: again,
    onStatement,
    onError,
  } = options;
  const open = (
    own: pg.ClientConfig,
    rest: Pick<ReadPipelineOptions, 'Client' | 'setupSql' | 'onSetupResults' | 'retryElsewhere'>,
  ): ReadPipeline =>
    openReadPipeline({
      connection: { ...connection, ...own },
      size: laneSize,
      names,
      types: pgTypeParsers,
      onError,
      onSlowRead: options.onSlowRead,
      ...rest,
    });
  const watched =
    (lane: ReadPipeline): Db['shortRead'] =>
    (text, params = []) => {
      onStatement?.(text);
      return traceStatement(text, () => lane.query(text, params));
    };

  const lane = open(
    {},
    {
      Client: primary.Client,
      setupSql: primary.hasSeveralHosts ? `${sessionSetupSql}; ${terminateOnStandbySql}` : sessionSetupSql,
      onSetupResults: meet,
      retryElsewhere: again,
    },
  );
  const short = watched(lane);
  const follower = (connectionString: string): ReplicaConnection => {
    const own = { connectionString, ...replicaTimes };
    const line = open(own, {
      Client: pg.Client,
      setupSql: sessionSetupSql,
      onSetupResults: () => {},
      retryElsewhere: gone,
    });
    return { name: new URL(connectionString).host, query: watched(line), close: line.close };
  };
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : createReplicaRouter({
          replicas: inOwnOrder(replicaUrls).map(follower),
          primary: short,
          maxLagMs: replicaMaxLagMs,
          onError,
        });
  return {
    shortRead: short,
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

/** Connections for short reads: pipelined connections to the primary and to each replica. */
import pg from 'pg';
import type { Db, OnStatement, ReplicaRouter } from '../handles.ts';
import {
  openReadPipeline,
  type ReadPipeline,
  type ReadPipelineOptions,
} from '../postgres/pipelined-reads.ts';
import type { PreparedStatementNames } from '../postgres/prepared-statement-names.ts';
import { sessionSetupSql, terminateOnStandbySql } from '../postgres/session-setup-and-server-identity.ts';
import { pgTypeParsers } from '../postgres/type-parsers.ts';
import { traceStatement } from '../query-context-and-statement-functions.ts';
import type { PrimaryLocator } from './primary-locator.ts';
import { createReplicaRouter, type ReplicaConnection } from './replica-router.ts';

interface ReadConnectionsOptions
  extends Pick<ReadPipelineOptions, 'batching' | 'onSetupResults' | 'retryElsewhere' | 'onError'> {
  primary: PrimaryLocator;
  connection: pg.ClientConfig;
  replicaUrls: readonly string[];
  replicaMaxLagMs: number;
  names: PreparedStatementNames;
  onStatement: OnStatement | undefined;
  onSlowRead: ReadPipelineOptions['onSlowRead'];
}

interface ReadConnections {
  shortRead: Db['shortRead'];
  replicas: ReplicaRouter | undefined;
  close(): Promise<void>;
}

/** Connections per server. Two suffice, because pipelined statements do not wait for each other's results. */
const connectionsPerServer = 2;
/** Short timeouts for replicas: reads fall back to the primary. */
const replicaTimeouts = { connectionTimeoutMillis: 2_000, query_timeout: 3_000 };

export function openReadConnections(options: ReadConnectionsOptions): ReadConnections {
  const {
    primary,
    connection,
    replicaUrls,
    replicaMaxLagMs,
    names,
    batching,
    onSetupResults,
    retryElsewhere,
    onStatement,
    onError,
  } = options;
  const open = (
    config: pg.ClientConfig,
    pipelineOptions: Pick<ReadPipelineOptions, 'Client' | 'setupSql' | 'onSetupResults' | 'retryElsewhere'>,
  ): ReadPipeline =>
    openReadPipeline({
      connection: { ...connection, ...config },
      size: connectionsPerServer,
      names,
      batching,
      types: pgTypeParsers,
      onError,
      onSlowRead: options.onSlowRead,
      ...pipelineOptions,
    });
  const observed =
    (pipeline: ReadPipeline): Db['shortRead'] =>
    (text, params = []) => {
      onStatement?.(text);
      return traceStatement(text, () => pipeline.query(text, params));
    };

  const primaryPipeline = open(
    {},
    {
      Client: primary.Client,
      setupSql: primary.hasSeveralHosts ? `${sessionSetupSql}; ${terminateOnStandbySql}` : sessionSetupSql,
      onSetupResults,
      retryElsewhere,
    },
  );
  const shortRead = observed(primaryPipeline);
  const openReplica = (connectionString: string): ReplicaConnection => {
    const config = { connectionString, ...replicaTimeouts };
    const pipeline = open(config, {
      Client: pg.Client,
      setupSql: sessionSetupSql,
      onSetupResults: () => {},
      retryElsewhere: rejectUnavailable,
    });
    return { name: new URL(connectionString).host, query: observed(pipeline), close: pipeline.close };
  };
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : createReplicaRouter({
          replicas: rotateByProcess(replicaUrls).map(openReplica),
          primary: shortRead,
          maxLagMs: replicaMaxLagMs,
          onError,
        });
  return {
    shortRead,
    replicas,
    async close() {
      await Promise.all([primaryPipeline.close(), replicas?.close()]);
    },
  };
}

/** Not retried on the same replica: the replica router retries on the primary. */
const rejectUnavailable = () =>
  Promise.reject(new Error('Connection terminated: the replica is unavailable.'));

/** Order of preference, rotated by process id: processes spread over the replicas, and each stays with one, so that its reads do not go back in time. */
function rotateByProcess(urls: readonly string[]): string[] {
  const first = process.pid % urls.length;
  return [...urls.slice(first), ...urls.slice(0, first)];
}

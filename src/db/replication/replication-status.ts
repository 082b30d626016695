/** Replication status of one server, for `duet doctor`: system identifier, timeline, recovery state and WAL position. */
import pg from 'pg';

export interface ReplicationStatus {
  /** System identifier: equal on a primary and all its replicas. */
  system: string;
  /** Timeline, which increases with every promotion. */
  timeline: number;
  /** Whether the server is a standby (in recovery). */
  follows: boolean;
  position: string;
}

export const replicationStatusSql = `
  select (select system_identifier::text from pg_control_system()) as system,
    (select timeline_id from pg_control_checkpoint()) as timeline, pg_is_in_recovery() as follows,
    coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end, '0/0')::text as position`;

const responseMs = 5_000;

/** Opens a connection to the server at `url`; `run` may query the status repeatedly. */
export async function withReplicationStatusConnection<T>(
  url: string,
  run: (queryStatus: () => Promise<ReplicationStatus>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'duet doctor',
    connectionTimeoutMillis: responseMs,
    query_timeout: responseMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await run(async () => {
      const [row] = (await client.query<ReplicationStatus>(replicationStatusSql)).rows;
      if (!row) throw new Error('The server returned no replication status.');
      return row;
    });
  } finally {
    void client.end().catch(() => {});
  }
}

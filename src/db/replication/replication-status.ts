/** Where one of several servers stands: whose data it holds, whether it follows, and how far it has come. */
import pg from 'pg';

export interface ReplicationStatus {
  /** The same on all servers that were made from one. */
  system: string;
  /** The branch of history. */
  timeline: number;
  follows: boolean;
  position: string;
}

export const replicationStatusSql = `
  select (select system_identifier::text from pg_control_system()) as system,
    (select timeline_id from pg_control_checkpoint()) as timeline, pg_is_in_recovery() as follows,
    coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end, '0/0')::text as position`;

const answerMs = 5_000;

/** Asks the server at `url`, as often as `run` wants, on a connection of its own. */
export async function withReplicationStatus<T>(
  url: string,
  run: (ask: () => Promise<ReplicationStatus>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'duet doctor',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await run(async () => {
      const [row] = (await client.query<ReplicationStatus>(replicationStatusSql)).rows;
      if (!row) throw new Error('It does not say where it stands.');
      return row;
    });
  } finally {
    void client.end().catch(() => {});
  }
}

/** Checks that every replica responds, follows this primary, and does not lag too far behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { parseLsn } from '../../db/replication/lsn.ts';
import {
  type ReplicationStatus,
  replicationStatusSql,
  withReplicationStatus,
} from '../../db/replication/replication-status.ts';
import { type DoctorFinding, errorFinding, noteFinding, okFinding } from './create-and-format-findings.ts';

const pollIntervalMs = 100;

export async function checkReplicas(
  { databaseReplicaUrls, replicaMaxLagMs }: Config,
  db: Db,
): Promise<DoctorFinding[]> {
  return Promise.all(
    databaseReplicaUrls.map(async (url) => {
      const { host } = new URL(url);
      try {
        return await withReplicationStatus(url, (readStatus) =>
          checkReplica(host, readStatus, db, replicaMaxLagMs),
        );
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return errorFinding(
          'replica',
          `${host} does not respond (${reason}). Start it, or correct DATABASE_REPLICA_URLS.`,
        );
      }
    }),
  );
}

async function checkReplica(
  host: string,
  readStatus: () => Promise<ReplicationStatus>,
  db: Db,
  maxLagMs: number,
): Promise<DoctorFinding> {
  const [primary] = await db.sql<ReplicationStatus>(replicationStatusSql);
  if (!primary) throw new Error('the primary returned no replication status');
  const startedAt = performance.now();
  let replica = await readStatus();
  if (replica.system !== primary.system)
    return errorFinding(
      'replica',
      `${host} has another database. Correct DATABASE_REPLICA_URLS, or rebuild it with pg_basebackup.`,
    );
  if (!replica.follows)
    return noteFinding(
      'replica',
      `${host} accepts writes, so it is the primary or was promoted. Remove it from DATABASE_REPLICA_URLS.`,
    );
  if (replica.timeline !== primary.timeline)
    return errorFinding(
      'replica',
      `${host} is on another timeline than the primary. Rebuild it with pg_rewind or pg_basebackup.`,
    );
  // The lag is the time until the replica has replayed the primary's current WAL position; server clocks are not compared.
  while (bytesBehind(primary, replica) > 0 && performance.now() - startedAt < maxLagMs) {
    await sleep(pollIntervalMs);
    replica = await readStatus();
  }
  const lagBytes = bytesBehind(primary, replica);
  if (lagBytes === 0)
    return okFinding(
      'replica',
      `${host} is up to date within ${Math.round(performance.now() - startedAt)} ms`,
    );
  return errorFinding(
    'replica',
    `${host} is ${lagBytes} bytes behind for more than ${maxLagMs} ms and is not used for reads. See pg_stat_replication on the primary, and check that replay is not paused.`,
  );
}

const bytesBehind = (primary: ReplicationStatus, replica: ReplicationStatus): number =>
  Math.max(0, Number((parseLsn(primary.position) ?? 0n) - (parseLsn(replica.position) ?? 0n)));

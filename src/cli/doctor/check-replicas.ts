/** Whether every replica answers, follows this primary, and is not too far behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { parseLsn } from '../../db/replication/lsn.ts';
import {
  type ReplicationStatus,
  replicationStatusSql,
  withReplicationStatus,
} from '../../db/replication/replication-status.ts';
import { type DoctorFinding, errorFinding, noteFinding, okFinding } from './finding.ts';

const everyMs = 100;

export async function checkReplicas(
  { databaseReplicaUrls, replicaMaxLagMs }: Config,
  db: Db,
): Promise<DoctorFinding[]> {
  return Promise.all(
    databaseReplicaUrls.map(async (url) => {
      const { host } = new URL(url);
      try {
        return await withReplicationStatus(url, (ask) => aboutReplica(host, ask, db, replicaMaxLagMs));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return errorFinding(
          'replica',
          `${host} does not answer (${why}). Start it, or correct DATABASE_REPLICA_URLS.`,
        );
      }
    }),
  );
}

async function aboutReplica(
  host: string,
  ask: () => Promise<ReplicationStatus>,
  db: Db,
  maxLagMs: number,
): Promise<DoctorFinding> {
  const [primary] = await db.sql<ReplicationStatus>(replicationStatusSql);
  if (!primary) throw new Error('the primary does not say where it stands');
  const began = performance.now();
  let replica = await ask();
  if (replica.system !== primary.system)
    return errorFinding(
      'replica',
      `${host} holds another database. Correct DATABASE_REPLICA_URLS, or make it anew by pg_basebackup.`,
    );
  if (!replica.follows)
    return noteFinding(
      'replica',
      `${host} takes writes and follows nobody: the primary, or one that was promoted. Leave it out.`,
    );
  if (replica.timeline !== primary.timeline)
    return errorFinding(
      'replica',
      `${host} is on another branch of history than the primary. Make it follow by pg_rewind or pg_basebackup.`,
    );
  // How long it takes to get what the primary has now: clocks of servers are not compared.
  while (bytesBehind(primary, replica) > 0 && performance.now() - began < maxLagMs) {
    await sleep(everyMs);
    replica = await ask();
  }
  const behind = bytesBehind(primary, replica);
  if (behind === 0)
    return okFinding(
      'replica',
      `${host} follows, ${Math.round(performance.now() - began)} ms behind at most`,
    );
  return errorFinding(
    'replica',
    `${host} is ${behind} bytes behind for more than ${maxLagMs} ms and is not read from. See pg_stat_replication on the primary, and whether its replay is paused.`,
  );
}

const bytesBehind = (primary: ReplicationStatus, replica: ReplicationStatus): number =>
  Math.max(0, Number((parseLsn(primary.position) ?? 0n) - (parseLsn(replica.position) ?? 0n)));

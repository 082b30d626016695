/** Whether every replica answers, follows this primary, and is not too far behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { parsePosition } from '../../db/positions.ts';
import type { Db } from '../../db/sql.ts';
import { onServer, type Standing, standing } from '../../db/standing.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

const everyMs = 100;

export async function replicaFindings(
  { databaseReplicaUrls, replicaMaxLagMs }: Config,
  db: Db,
): Promise<Finding[]> {
  return Promise.all(
    databaseReplicaUrls.map(async (url) => {
      const { host } = new URL(url);
      try {
        return await onServer(url, (ask) => aboutReplica(host, ask, db, replicaMaxLagMs));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return wrong(
          'replica',
          `${host} does not answer (${why}). Start it, or correct DATABASE_REPLICA_URLS.`,
        );
      }
    }),
  );
}

async function aboutReplica(
  host: string,
  ask: () => Promise<Standing>,
  db: Db,
  maxLagMs: number,
): Promise<Finding> {
  const [primary] = await db.sql<Standing>(standing);
  if (!primary) throw new Error('the primary does not say where it stands');
  const began = performance.now();
  let replica = await ask();
  if (replica.system !== primary.system)
    return wrong(
      'replica',
      `${host} holds another database. Correct DATABASE_REPLICA_URLS, or make it anew by pg_basebackup.`,
    );
  if (!replica.follows)
    return note(
      'replica',
      `${host} takes writes and follows nobody: the primary, or one that was promoted. Leave it out.`,
    );
  if (replica.timeline !== primary.timeline)
    return wrong(
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
    return fine('replica', `${host} follows, ${Math.round(performance.now() - began)} ms behind at most`);
  return wrong(
    'replica',
    `${host} is ${behind} bytes behind for more than ${maxLagMs} ms and is not read from. See pg_stat_replication on the primary, and whether its replay is paused.`,
  );
}

const bytesBehind = (primary: Standing, replica: Standing): number =>
  Math.max(0, Number((parsePosition(primary.position) ?? 0n) - (parsePosition(replica.position) ?? 0n)));

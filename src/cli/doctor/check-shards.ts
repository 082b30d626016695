/** Checks every server of DATABASE_SHARDS like the home server. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { listUnfinishedMoves } from '../../shards/move/unfinished-moves.ts';
import { type OpenedShard, withShards } from '../open-and-migrate-databases.ts';
import {
  type DoctorFinding,
  errorFinding,
  noteFinding,
  runDoctorCheck,
} from './create-and-format-findings.ts';

/** A replication slot keeps the WAL that its reader has not received, until the disk is full. */
export async function checkUnfinishedMoves(db: Db): Promise<DoctorFinding[]> {
  const moves = await listUnfinishedMoves(db);
  return moves.map(({ businessId, source, target, isSwitched }) =>
    noteFinding(
      'moves',
      isSwitched
        ? `a move to ${target} is not finished. Unless it runs: duet move ${businessId} ${target}`
        : `a copy to ${target} is not finished, and ${source} keeps its WAL. Unless it runs: duet move ${businessId} ${target} --cancel`,
    ),
  );
}

type CheckServer = (config: Config, db: Db) => Promise<DoctorFinding[]>;

export async function checkShards(
  config: Config,
  home: Db,
  checkServer: CheckServer,
): Promise<DoctorFinding[]> {
  if (config.databaseShards.length === 0) return [];
  const findings = await runDoctorCheck('shards', () =>
    withShards(config, home, async (shards) =>
      (await Promise.all(shards.map((shard) => checkShard(config, shard, checkServer)))).flat(),
    ),
  );
  return [
    noteFinding('shards', 'a gateway on several servers is a preview that does not support everything'),
    ...findings,
  ];
}

async function checkShard(
  config: Config,
  shard: OpenedShard,
  checkServer: CheckServer,
): Promise<DoctorFinding[]> {
  if (!shard.db) return [errorFinding('shards', shard.error.message)];
  const { name, db } = shard;
  // Poolers and replicas belong to the home server.
  const ownConfig = { ...config, databaseDirectUrl: undefined, databaseReplicaUrls: [] };
  const findings = await runDoctorCheck('database', () => checkServer(ownConfig, db));
  return findings.map((finding) => ({ ...finding, message: `${name}: ${finding.message}` }));
}

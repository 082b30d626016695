/** Checks that DATABASE_DIRECT_URL points to the server behind the pooler at DATABASE_URL. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import {
  type ReplicationStatus,
  replicationStatusSql,
  withReplicationStatus,
} from '../../db/replication/replication-status.ts';
import { splitMultiHostUrl } from '../../lib/net/multi-host-url.ts';
import { type DoctorFinding, errorFinding, okFinding } from './create-and-format-findings.ts';

const subject = 'direct';

export async function checkDirectUrl({ databaseDirectUrl }: Config, db: Db): Promise<DoctorFinding[]> {
  if (databaseDirectUrl === undefined) return [];
  const [pooled] = await db.sql<ReplicationStatus>(replicationStatusSql);
  const servers = splitMultiHostUrl(databaseDirectUrl).map((url) =>
    withReplicationStatus(url, (readStatus) => readStatus()).catch(() => undefined),
  );
  const [direct] = (await Promise.all(servers)).filter((server) => server && !server.follows);
  if (!direct)
    return [
      errorFinding(
        subject,
        'DATABASE_DIRECT_URL: no server there accepts writes. Start it, or correct the address.',
      ),
    ];
  if (direct.system !== pooled?.system || direct.timeline !== pooled.timeline)
    return [
      errorFinding(
        subject,
        'DATABASE_DIRECT_URL points to another server than DATABASE_URL. Correct one of them.',
      ),
    ];
  return [okFinding(subject, 'the server behind the pooler responds')];
}

/** Whether DATABASE_DIRECT_URL leads to the server that the pooler at DATABASE_URL leads to. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/sql.ts';
import { onServer, type Standing, standing } from '../../db/standing.ts';
import { serversOf } from '../../lib/servers.ts';
import { type Finding, fine, wrong } from './finding.ts';

const what = 'direct';

export async function directFindings({ databaseDirectUrl }: Config, db: Db): Promise<Finding[]> {
  if (databaseDirectUrl === undefined) return [];
  const [pooled] = await db.sql<Standing>(standing);
  const servers = serversOf(databaseDirectUrl).map((url) =>
    onServer(url, (ask) => ask()).catch(() => undefined),
  );
  const [direct] = (await Promise.all(servers)).filter((server) => server && !server.follows);
  if (!direct)
    return [wrong(what, 'DATABASE_DIRECT_URL: nobody there takes writes. Start it, or correct the address.')];
  if (direct.system !== pooled?.system || direct.timeline !== pooled.timeline)
    return [
      wrong(what, 'DATABASE_DIRECT_URL leads to another server than DATABASE_URL. Correct one of them.'),
    ];
  return [fine(what, 'the server behind the pooler answers')];
}

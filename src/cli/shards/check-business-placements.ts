/** Verifies that every business is on exactly one database server: the one that the directory of the home server names. */
import type { Db } from '../../db/handles.ts';
import { filterExistingBusinessIds, streamBusinessIds } from '../../domains/businesses/manage-businesses.ts';
import { homeServerName } from '../../shard-variables.ts';
import { findServers, streamBusinessPlacements } from '../../shards/business-directory.ts';

export interface BusinessPlacementFinding {
  businessId: string;
  problem: string;
}

/** `servers` has the available servers by name, with the home server. `configured` has all names. */
export async function* checkBusinessPlacements(
  servers: ReadonlyMap<string, Db>,
  configured: ReadonlySet<string>,
): AsyncGenerator<BusinessPlacementFinding> {
  const home = servers.get(homeServerName);
  if (!home) throw new Error('the home server has the directory');
  for (const [name, db] of servers)
    for await (const ids of streamBusinessIds(db)) {
      const serverById = await findServers(home, ids);
      for (const businessId of ids) {
        const listed = serverById.get(businessId) ?? homeServerName;
        if (listed !== name)
          yield { businessId, problem: `is on ${name}, but the directory names ${listed}` };
      }
    }
  for await (const placements of streamBusinessPlacements(home))
    for (const [name, ids] of groupByServer(placements)) {
      const db = servers.get(name);
      const existing = db ? await filterExistingBusinessIds(db, ids) : new Set(ids);
      for (const businessId of ids) {
        if (!configured.has(name)) yield { businessId, problem: `is on ${name}, which is not configured` };
        else if (!existing.has(businessId))
          yield { businessId, problem: `is not on ${name}, which the directory names` };
      }
    }
}

function groupByServer(placements: readonly { businessId: string; shard: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { businessId, shard } of placements)
    groups.set(shard, [...(groups.get(shard) ?? []), businessId]);
  return groups;
}

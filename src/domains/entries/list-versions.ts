/** Lists the versions of an entry, newest first. */

import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import { markCutShort, maxPageBytes, type Page, page } from '../../lib/paging.ts';
import { namesOf } from '../users/names.ts';
import type { VersionList } from './checks.ts';
import { findEntry } from './find-entry.ts';
import { type EntryVersion, versions } from './version-model.ts';

/** With its business, and what they are called today who made it. */
export interface VersionView extends EntryVersion {
  businessId: string;
  userName?: string | undefined;
}

// Of long ones only as many as fit into an answer are read.
const within = (direction: 'asc' | 'desc') => `
  select v.id, v.entry_id, v.version, v.locale, v.status, v.actor, v.user_id, v.created_at,
    case when row_number() over listed = 1 or sum(octet_length(v.blocks::text)) over listed <= ${maxPageBytes} then v.blocks end as blocks
  from (select ${versions.columns} from ${versions.from} where v.entry_id = $1 and v.version < $3 and v.version > $4
    order by v.version ${direction} limit $2) v
  window listed as (order by v.version ${direction}) order by v.version ${direction}`;
const [oldestFirst, newestFirst] = [within('asc'), within('desc')];
const maxVersion = 2_147_483_647;

export async function listVersions(ctx: Context, filter: VersionList): Promise<Page<VersionView>> {
  const entry = await findEntry(ctx, filter);
  if (!entry) throw notFound('Entry');
  return page<VersionView>({
    secret: ctx.keys.secret,
    list: `entry-versions:${entry.id}`,
    args: filter,
    keyOf: ({ version }) => String(version),
    async fetch({ after = maxVersion, before = 0, backward }, limit) {
      const params = [entry.id, limit, after, before];
      const rows = await ctx.db.sql<Row>(backward ? oldestFirst : newestFirst, params);
      const end = rows.findIndex(({ blocks }) => blocks === null);
      const nodes = await shown(
        ctx,
        entry.businessId,
        (end === -1 ? rows : rows.slice(0, end)).map(versions.read),
      );
      return end === -1 ? nodes : markCutShort(nodes);
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        'select count(*)::int as count from entry_versions where entry_id = $1',
        [entry.id],
      );
      return row?.count ?? 0;
    },
  });
}

async function shown(
  ctx: Context,
  businessId: string,
  found: readonly EntryVersion[],
): Promise<VersionView[]> {
  const names = await namesOf(ctx.db, [...new Set(found.flatMap(({ userId }) => userId ?? []))]);
  return found.map((one) => ({
    ...one,
    businessId,
    userName: one.userId === undefined ? undefined : names.get(one.userId)?.name,
  }));
}

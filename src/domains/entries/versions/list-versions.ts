/** Lists the versions of an entry, newest first. */
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { loadKeysetPage, markPageTruncated, maxPageBytes, type Page } from '../../../lib/paging.ts';
import { loadUserAndApiKeyNames } from '../../users/people/user-and-api-key-names.ts';
import { findEntry } from '../read/find-entry.ts';
import type { ListEntryVersionsArgs } from '../schemas.ts';
import { type EntryVersion, entryVersionTable } from './model.ts';

/** Version with its business id and the current name of the user who created it. */
export interface EntryVersionWithUserName extends EntryVersion {
  businessId: string;
  userName?: string | undefined;
}

// Blocks are selected only until `maxPageBytes` is reached; rows beyond it have null blocks and are cut off.
const pageSql = (direction: 'asc' | 'desc') => `
  select v.id, v.entry_id, v.version, v.locale, v.status, v.actor, v.user_id, v.created_at,
    case when row_number() over listed = 1 or sum(octet_length(v.blocks::text)) over listed <= ${maxPageBytes} then v.blocks end as blocks
  from (select ${entryVersionTable.columns} from ${entryVersionTable.from} where v.entry_id = $1 and v.version < $3 and v.version > $4
    order by v.version ${direction} limit $2) v
  window listed as (order by v.version ${direction}) order by v.version ${direction}`;
const [oldestFirst, newestFirst] = [pageSql('asc'), pageSql('desc')];
const maxVersion = 2_147_483_647;

export async function listEntryVersions(
  ctx: Context,
  args: ListEntryVersionsArgs,
): Promise<Page<EntryVersionWithUserName>> {
  const entry = await findEntry(ctx, args);
  if (!entry) throw notFoundError('Entry');
  return loadKeysetPage<EntryVersionWithUserName>({
    secret: ctx.keys.secret,
    list: `entry-versions:${entry.id}`,
    args,
    keyOf: ({ version }) => String(version),
    async fetch({ after = maxVersion, before = 0, backward }, limit) {
      const params = [entry.id, limit, after, before];
      const rows = await ctx.db.sql<UntypedRow>(backward ? oldestFirst : newestFirst, params);
      const end = rows.findIndex(({ blocks }) => blocks === null);
      const nodes = await addUserNames(
        ctx,
        entry.businessId,
        (end === -1 ? rows : rows.slice(0, end)).map(entryVersionTable.read),
      );
      return end === -1 ? nodes : markPageTruncated(nodes);
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

async function addUserNames(
  ctx: Context,
  businessId: string,
  versions: readonly EntryVersion[],
): Promise<EntryVersionWithUserName[]> {
  const names = await loadUserAndApiKeyNames(ctx.db, [
    ...new Set(versions.flatMap(({ userId }) => userId ?? [])),
  ]);
  return versions.map((version) => ({
    ...version,
    businessId,
    userName: version.userId === undefined ? undefined : names.get(version.userId)?.name,
  }));
}

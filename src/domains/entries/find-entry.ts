/** Reads entries: one by id, slug or slug triple, or several by id. */

import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { invalid } from '../../errors.ts';
import { isId, parseAddress } from '../../lib/ids.ts';
import { type Entry, entries } from './model.ts';
import { isVisible } from './visibility.ts';

const visible = isVisible('$1', '$3');

const byId = `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = $2 and ${visible}`;
const byIds = `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = any($2::uuid[]) and ${visible}`;

/** SQL: the value of the block `slug`. */
const slug = `jsonb_path_query_first(e.blocks, '$[*] ? (@.id == "slug").value')`;

/**
 * SQL: entries with the slug in `param` in the locale in `locale`. A plain text is the slug in every locale; an entry
 * written in that locale comes first. Without a locale any will do.
 */
const bySlug = (param: string, locale: string) => ({
  condition: `e.slugs ? ${param} and (${locale}::text is null or jsonb_typeof(${slug}) = 'string' or ${slug} ->> ${locale} = ${param})`,
  order: `(${slug} ->> ${locale}) is not distinct from ${param} desc, e.locale is not distinct from ${locale} desc, e.id desc`,
});

const found = bySlug('$2', '$4');
const visibleBySlug = `select ${entries.columns} from ${entries.from} where e.business_id = $1 and ${found.condition} and ${visible}
  order by ${found.order} limit 1`;

/** The entry if the viewer may see it. */
export async function findEntry(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<Entry | undefined> {
  if (!isId(at.businessId)) return undefined;
  const address = parseAddress(at.id);
  const reader = permissionHolder(ctx.viewer);
  if (address.by === 'id') {
    const [row] = await ctx.db.sql<Row>(byId, [at.businessId, address.id, reader]);
    return row && entries.read(row);
  }
  if ((address.businessId ?? at.businessId) !== at.businessId) return undefined;
  const [row] = await ctx.db.sql<Row>(visibleBySlug, [
    at.businessId,
    address.slug,
    reader,
    address.locale ?? null,
  ]);
  return row && entries.read(row);
}

/** The entries among `ids` that the viewer may see, by id. */
export async function loadEntries(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Entry>> {
  const rows = await ctx.db.sql<Row>(byIds, [businessId, ids, permissionHolder(ctx.viewer)]);
  return new Map(rows.map((row) => [row.id, entries.read(row)]));
}

/** Which of `ids` are entries of the business. */
export async function existingEntries(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from entries where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

const writable = bySlug('$2', '$3');

/** Reads an entry for writing: nobody else changes it before the transaction ends. */
export async function lockEntry(tx: Queries, businessId: string, id: string): Promise<Entry | undefined> {
  if (!isId(businessId)) return undefined;
  const address = parseAddress(id);
  if (address.by === 'slug' && (address.businessId ?? businessId) !== businessId) return undefined;
  const rows =
    address.by === 'id'
      ? await tx.sql<Row>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = $2 for update`,
          [businessId, address.id],
        )
      : await tx.sql<Row>(
          `select ${entries.columns} from ${entries.from} where e.business_id = $1 and ${writable.condition} order by e.id limit 2 for update`,
          [businessId, address.slug, address.locale ?? null],
        );
  if (rows.length > 1)
    throw invalid({
      field: 'id',
      error: 'AMBIGUOUS_SLUG',
      message: 'Several entries have this slug. Name the one you mean by its id.',
    });
  return rows[0] && entries.read(rows[0]);
}

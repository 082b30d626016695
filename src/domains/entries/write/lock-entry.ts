/** Locks and reads an entry for writing. */
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Entry, entryTable } from '../model.ts';
import { buildEntrySlugConditionAndOrderSql } from '../slugs/slug-lookup-sql.ts';

const slugLookup = buildEntrySlugConditionAndOrderSql('$2', '$3');

/** Reads an entry with `for update`: the row stays locked until the transaction ends. */
export async function lockEntry(tx: QueryHandle, businessId: string, id: string): Promise<Entry | undefined> {
  const idOrSlug = parseIdOrSlug(businessId, id);
  if (!idOrSlug) return undefined;
  const rows =
    idOrSlug.by === 'id'
      ? await tx.sql<UntypedRow>(
          `select ${entryTable.columns} from ${entryTable.from} where e.business_id = $1 and e.id = $2 for update`,
          [businessId, idOrSlug.id],
        )
      : await tx.sql<UntypedRow>(
          `select ${entryTable.columns} from ${entryTable.from} where e.business_id = $1 and ${slugLookup.condition} order by e.id limit 2 for update`,
          [businessId, idOrSlug.slug, idOrSlug.locale ?? null],
        );
  if (rows.length > 1)
    throw validationError(
      'id',
      'AMBIGUOUS_SLUG',
      'Several entries have this slug. Use the id of the entry instead.',
    );
  return rows[0] && entryTable.read(rows[0]);
}

/** Finds a collection without a visibility check, and locks it for writing. */
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Collection, collectionTable } from '../model.ts';

const select = (condition: string) =>
  `select ${collectionTable.columns} from ${collectionTable.from} where c.business_id = $1 and ${condition}`;

const selectById = select('c.id = $2');

const selectBySlug = select('c.slug = $2');

/** Collection without a visibility check, for validation that needs its schema. */
export async function findCollectionWithoutVisibilityCheck(
  queries: QueryHandle,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = toCollectionLookupKey(businessId, id);
  if (!key) return undefined;
  const [row] = await queries.sql<UntypedRow>(key.column === 'id' ? selectById : selectBySlug, [
    businessId,
    key.value,
  ]);
  return row && collectionTable.read(row);
}

/** Reads a collection with `for update`: until the transaction ends, it cannot be changed, and no entry or subscriber can be added (their foreign keys need a share lock). */
export async function lockCollection(
  tx: QueryHandle,
  businessId: string,
  id: string,
): Promise<Collection | undefined> {
  const key = toCollectionLookupKey(businessId, id);
  if (!key) return undefined;
  const [row] = await tx.sql<UntypedRow>(`${key.column === 'id' ? selectById : selectBySlug} for update`, [
    businessId,
    key.value,
  ]);
  return row && collectionTable.read(row);
}

export function toCollectionLookupKey(
  businessId: string,
  id: string,
): { column: 'id' | 'slug'; value: string } | undefined {
  const idOrSlug = parseIdOrSlug(businessId, id);
  if (!idOrSlug) return undefined;
  return idOrSlug.by === 'id'
    ? { column: 'id', value: idOrSlug.id }
    : { column: 'slug', value: idOrSlug.slug };
}

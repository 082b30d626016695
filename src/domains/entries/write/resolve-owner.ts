/** Finds the owner an entry names, with the schema its blocks follow. */

import type { Queries } from '../../../db/handles.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { Block } from '../../blocks/model.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { findExistingOrderIds } from '../../orders/read/load-orders.ts';
import { type EntryOwner, type EntryOwnerKind, entryOwnerKinds, parseEntryOwner } from '../model.ts';

export interface ResolvedOwner {
  owner: string;
  /** Empty: each block is its own definition. */
  schema: readonly Block[];
  issues: ErrorDetail[];
}

/** How a caller says what owns an entry. */
export interface OwnerInput {
  collectionId?: string | null | undefined;
  ownedBy?: Readonly<Partial<Record<EntryOwnerKind, string | null>>> | null | undefined;
  owner?: string | null | undefined;
}

/** `collectionId` comes before the others; undefined when the input names none. */
export async function resolveEntryOwner(
  queries: Queries,
  businessId: string,
  input: OwnerInput,
): Promise<ResolvedOwner | undefined> {
  const { field, named } = namedOwner(input);
  if (!field) return undefined;
  if (!named) {
    return refused(field, 'INVALID_OWNER', 'Must be collection:<id>, order:<id> or reservation:<id>.');
  }
  switch (named.kind) {
    case 'collection': {
      const collection = await findCollectionUnrestricted(queries, businessId, named.id);
      if (!collection) return refused(field, 'COLLECTION_NOT_FOUND', 'The business has no such collection.');
      return { owner: `collection:${collection.id}`, schema: collection.blocks, issues: [] };
    }
    case 'order': {
      const id = named.id.toLowerCase();
      const exists = isId(id) && (await findExistingOrderIds(queries, businessId, [id])).has(id);
      return exists
        ? { owner: `order:${id}`, schema: [], issues: [] }
        : refused(field, 'ORDER_NOT_FOUND', 'The business has no such order.');
    }
    case 'reservation':
      return { owner: `reservation:${named.id}`, schema: [], issues: [] };
  }
}

function namedOwner({ collectionId, ownedBy, owner }: OwnerInput): {
  field?: string;
  named?: EntryOwner | undefined;
} {
  if (collectionId) {
    const id = collectionId.replace(/^collection:/, '');
    return { field: 'collectionId', named: { kind: 'collection', id } };
  }
  const kind = entryOwnerKinds.find((name) => ownedBy?.[name] != null);
  if (kind) return { field: `ownedBy.${kind}`, named: parseEntryOwner(`${kind}:${ownedBy?.[kind]}`) };
  return owner ? { field: 'owner', named: parseEntryOwner(owner) } : {};
}

const refused = (field: string, error: DetailCode, message: string): ResolvedOwner => ({
  owner: '',
  schema: [],
  issues: [{ field, error, message }],
});

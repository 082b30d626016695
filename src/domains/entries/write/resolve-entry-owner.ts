/** Resolves the owner in the arguments of an entry, and the schema for its blocks. */
import type { QueryHandle } from '../../../db/index.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { Block } from '../../blocks/model.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { findExistingOrderIds } from '../../orders/read/load-orders.ts';
import { type EntryOwner, type EntryOwnerKind, entryOwnerKinds, parseEntryOwner } from '../model.ts';

export interface ResolvedEntryOwner {
  owner: string;
  /** Empty when the owner has no schema: each block then defines itself. */
  schema: readonly Block[];
  issues: ErrorDetail[];
}

/** The three alternative arguments for the owner of an entry. */
export interface EntryOwnerArgs {
  collectionId?: string | null | undefined;
  ownedBy?: Readonly<Partial<Record<EntryOwnerKind, string | null>>> | null | undefined;
  owner?: string | null | undefined;
}

/** Precedence: `collectionId`, `ownedBy`, `owner`. Undefined when the input has none of them. */
export async function resolveEntryOwner(
  queries: QueryHandle,
  businessId: string,
  input: EntryOwnerArgs,
): Promise<ResolvedEntryOwner | undefined> {
  const { field, named: owner } = parseOwnerInput(input);
  if (!field) return undefined;
  if (!owner) {
    return ownerError(field, 'INVALID_OWNER', 'Must be collection:<id>, order:<id> or reservation:<id>.');
  }
  switch (owner.kind) {
    case 'collection': {
      const collection = await findCollectionWithoutVisibilityCheck(queries, businessId, owner.id);
      if (!collection)
        return ownerError(field, 'COLLECTION_NOT_FOUND', 'The business has no such collection.');
      return { owner: `collection:${collection.id}`, schema: collection.blocks, issues: [] };
    }
    case 'order': {
      const id = owner.id.toLowerCase();
      const exists = isId(id) && (await findExistingOrderIds(queries, businessId, [id])).has(id);
      return exists
        ? { owner: `order:${id}`, schema: [], issues: [] }
        : ownerError(field, 'ORDER_NOT_FOUND', 'The business has no such order.');
    }
    case 'reservation':
      return { owner: `reservation:${owner.id}`, schema: [], issues: [] };
  }
}

function parseOwnerInput({ collectionId, ownedBy, owner }: EntryOwnerArgs): {
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

const ownerError = (field: string, error: DetailCode, message: string): ResolvedEntryOwner => ({
  owner: '',
  schema: [],
  issues: [{ field, error, message }],
});

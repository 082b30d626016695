/** Finds the owner an entry names, with the schema its blocks follow. */

import type { Queries } from '../../db/sql.ts';
import type { DetailCode } from '../../detail-codes.ts';
import type { ErrorDetail } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import type { Block } from '../blocks/model.ts';
import { anyCollection } from '../collections/find-collection.ts';
import { existingOrders } from '../orders/load-orders.ts';
import { type Owner, type OwnerKind, ownerKinds, parseOwner } from './model.ts';

export interface FoundOwner {
  owner: string;
  /** Empty: each block is its own definition. */
  schema: readonly Block[];
  issues: ErrorDetail[];
}

/** How a caller says what owns an entry. */
export interface NamedOwner {
  collectionId?: string | null | undefined;
  ownedBy?: Readonly<Partial<Record<OwnerKind, string | null>>> | null | undefined;
  owner?: string | null | undefined;
}

/** `collectionId` comes before the others; undefined when the input names none. */
export async function findOwner(
  queries: Queries,
  businessId: string,
  input: NamedOwner,
): Promise<FoundOwner | undefined> {
  const { field, named } = namedOwner(input);
  if (!field) return undefined;
  if (!named) {
    return refused(field, 'INVALID_OWNER', 'Must be collection:<id>, order:<id> or reservation:<id>.');
  }
  switch (named.kind) {
    case 'collection': {
      const collection = await anyCollection(queries, businessId, named.id);
      if (!collection) return refused(field, 'COLLECTION_NOT_FOUND', 'The business has no such collection.');
      return { owner: `collection:${collection.id}`, schema: collection.blocks, issues: [] };
    }
    case 'order': {
      const id = named.id.toLowerCase();
      const exists = isId(id) && (await existingOrders(queries, businessId, [id])).has(id);
      return exists
        ? { owner: `order:${id}`, schema: [], issues: [] }
        : refused(field, 'ORDER_NOT_FOUND', 'The business has no such order.');
    }
    case 'reservation':
      return { owner: `reservation:${named.id}`, schema: [], issues: [] };
  }
}

function namedOwner({ collectionId, ownedBy, owner }: NamedOwner): {
  field?: string;
  named?: Owner | undefined;
} {
  if (collectionId) {
    const id = collectionId.replace(/^collection:/, '');
    return { field: 'collectionId', named: { kind: 'collection', id } };
  }
  const kind = ownerKinds.find((name) => ownedBy?.[name] != null);
  if (kind) return { field: `ownedBy.${kind}`, named: parseOwner(`${kind}:${ownedBy?.[kind]}`) };
  return owner ? { field: 'owner', named: parseOwner(owner) } : {};
}

const refused = (field: string, error: DetailCode, message: string): FoundOwner => ({
  owner: '',
  schema: [],
  issues: [{ field, error, message }],
});

/** Targets of relationship blocks: existence check when written, loading of the records visible to the viewer when read. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { RelationshipTargetType } from '../../blocks/model.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import type { Collection } from '../../collections/model.ts';
import { findExistingCollectionIds, loadCollectionMap } from '../../collections/read/load-collections.ts';
import type { Order } from '../../orders/model.ts';
import { findExistingOrderIds, loadOrders } from '../../orders/read/load-orders.ts';
import type { Product } from '../../products/model.ts';
import { findExistingProductIds, loadProductMap } from '../../products/read/load-products.ts';
import {
  loadNamedBusinessContacts,
  type NamedBusinessContact,
} from '../../users/people/user-lookups-for-other-domains.ts';
import type { Entry } from '../model.ts';
import { findExistingEntryIds, loadEntryMap } from '../read/load-entries.ts';

type FindExistingIds = (
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>;

const findExistingIds: Readonly<Record<RelationshipTargetType, FindExistingIds>> = {
  USER: async (queries, businessId, ids) =>
    new Set((await loadNamedBusinessContacts(queries, businessId, ids)).keys()),
  PRODUCT: findExistingProductIds,
  ENTRY: findExistingEntryIds,
  COLLECTION: findExistingCollectionIds,
  ORDER: findExistingOrderIds,
};

/** Errors for relationships whose target is not a record of the business. One query per target type. */
export async function findMissingRelationshipTargetErrors(
  queries: QueryHandle,
  businessId: string,
  blocks: readonly ValueBlock[],
): Promise<ErrorDetail[]> {
  const relationships = blocks.flatMap((block, index) =>
    block.target && typeof block.value === 'string' && block.value !== ''
      ? [{ index, target: block.target, id: block.value }]
      : [],
  );
  const existingIds = new Map<RelationshipTargetType, ReadonlySet<string>>();
  for (const target of new Set(relationships.map((relationship) => relationship.target))) {
    const ids = relationships.filter(
      (relationship) => relationship.target === target && isId(relationship.id),
    );
    existingIds.set(
      target,
      ids.length === 0
        ? new Set()
        : await findExistingIds[target](
            queries,
            businessId,
            ids.map(({ id }) => id),
          ),
    );
  }
  return relationships
    .filter(({ target, id }) => !existingIds.get(target)?.has(id))
    .map(({ index, target }) => ({
      field: `blocks.${index}.value`,
      error: 'RELATIONSHIP_NOT_FOUND',
      message: `The business has no ${target.toLowerCase()} with this id.`,
    }));
}

/** Key of the target type on a loaded record. A symbol, so that it cannot collide with a field of the record. */
export const relationshipTargetTypeSymbol: unique symbol = Symbol('target type');

type TargetRecord = NamedBusinessContact | Product | Entry | Collection | Order;
export type RelationshipTargetRecord = TargetRecord & {
  [relationshipTargetTypeSymbol]: RelationshipTargetType;
};

/** Loader key: `<businessId>/<TYPE>/<id>`. */
export const buildRelationshipTargetKey = (businessId: string, target: RelationshipTargetType, id: string) =>
  `${businessId}/${target}/${id}`;

type LoadTargets = (
  ctx: Context,
  businessId: string,
  ids: readonly string[],
) => Promise<Map<string, TargetRecord>>;

const loaders: Readonly<Record<RelationshipTargetType, LoadTargets>> = {
  USER: (ctx, businessId, ids) => loadNamedBusinessContacts(ctx.db, businessId, ids),
  PRODUCT: loadProductMap,
  ENTRY: loadEntryMap,
  COLLECTION: loadCollectionMap,
  ORDER: loadOrders,
};

/** Targets in the order of `keys`; null where the viewer may not see the record. One query per type and business. */
export async function loadRelationshipTargets(
  ctx: Context,
  keys: readonly string[],
): Promise<(RelationshipTargetRecord | null)[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const separator = key.lastIndexOf('/');
    const group = key.slice(0, separator);
    groups.set(group, [...(groups.get(group) ?? []), key.slice(separator + 1)]);
  }
  const targets = new Map<string, RelationshipTargetRecord>();
  await Promise.all(
    [...groups].map(async ([group, ids]) => {
      const [businessId, type] = group.split('/') as [string, RelationshipTargetType];
      for (const [id, record] of await loaders[type](ctx, businessId, ids))
        targets.set(`${group}/${id}`, { ...record, [relationshipTargetTypeSymbol]: type });
    }),
  );
  return keys.map((key) => targets.get(key) ?? null);
}

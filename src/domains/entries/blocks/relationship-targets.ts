/** What relationships may point at: whether it exists when it is written, and what of it a viewer sees when it is read. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { TargetType } from '../../blocks/model.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import type { Collection } from '../../collections/model.ts';
import { findExistingCollectionIds, loadCollections } from '../../collections/read/find-collection.ts';
import type { Order } from '../../orders/model.ts';
import { findExistingOrderIds, loadOrders } from '../../orders/read/load-orders.ts';
import type { Product } from '../../products/model.ts';
import { findExistingProductIds, loadProducts } from '../../products/read/load-products.ts';
import { loadBusinessPeople, type Person } from '../../users/people/business-people.ts';
import type { Entry } from '../model.ts';
import { findExistingEntryIds, loadEntries } from '../read/find-entry.ts';

type Existing = (
  queries: Queries,
  businessId: string,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>;

const existing: Readonly<Record<TargetType, Existing>> = {
  USER: async (queries, businessId, ids) =>
    new Set((await loadBusinessPeople(queries, businessId, ids)).keys()),
  PRODUCT: findExistingProductIds,
  ENTRY: findExistingEntryIds,
  COLLECTION: findExistingCollectionIds,
  ORDER: findExistingOrderIds,
};

/** Names every relationship whose target is not a record of the business; one statement per type of target. */
export async function findMissingTargets(
  queries: Queries,
  businessId: string,
  blocks: readonly ValueBlock[],
): Promise<ErrorDetail[]> {
  const pointers = blocks.flatMap((block, index) =>
    block.target && typeof block.value === 'string' && block.value !== ''
      ? [{ index, target: block.target, id: block.value }]
      : [],
  );
  const found = new Map<TargetType, ReadonlySet<string>>();
  for (const target of new Set(pointers.map((pointer) => pointer.target))) {
    const ids = pointers.filter((pointer) => pointer.target === target && isId(pointer.id));
    found.set(
      target,
      ids.length === 0
        ? new Set()
        : await existing[target](
            queries,
            businessId,
            ids.map(({ id }) => id),
          ),
    );
  }
  return pointers
    .filter(({ target, id }) => !found.get(target)?.has(id))
    .map(({ index, target }) => ({
      field: `blocks.${index}.value`,
      error: 'RELATIONSHIP_NOT_FOUND',
      message: `The business has no such ${target.toLowerCase()}.`,
    }));
}

/** Which kind of record a target is; a symbol, so that no field of the record can be mistaken for it. */
export const targetTypeSymbol: unique symbol = Symbol('kind of target');

type TargetRecord = Person | Product | Entry | Collection | Order;
export type RelationshipTargetRecord = TargetRecord & { [targetTypeSymbol]: TargetType };

/** `<businessId>/<TYPE>/<id>`: what a relationship is looked up by. */
export const relationshipTargetKey = (businessId: string, target: TargetType, id: string) =>
  `${businessId}/${target}/${id}`;

type Load = (ctx: Context, businessId: string, ids: readonly string[]) => Promise<Map<string, TargetRecord>>;

const load: Readonly<Record<TargetType, Load>> = {
  USER: (ctx, businessId, ids) => loadBusinessPeople(ctx.db, businessId, ids),
  PRODUCT: loadProducts,
  ENTRY: loadEntries,
  COLLECTION: loadCollections,
  ORDER: loadOrders,
};

/** The targets the viewer may see, in the order of their keys; one statement per type and business. */
export async function loadRelationshipTargets(
  ctx: Context,
  keys: readonly string[],
): Promise<(RelationshipTargetRecord | null)[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const at = key.lastIndexOf('/');
    const group = key.slice(0, at);
    groups.set(group, [...(groups.get(group) ?? []), key.slice(at + 1)]);
  }
  const found = new Map<string, RelationshipTargetRecord>();
  await Promise.all(
    [...groups].map(async ([group, ids]) => {
      const [businessId, kind] = group.split('/') as [string, TargetType];
      for (const [id, record] of await load[kind](ctx, businessId, ids))
        found.set(`${group}/${id}`, { ...record, [targetTypeSymbol]: kind });
    }),
  );
  return keys.map((key) => found.get(key) ?? null);
}

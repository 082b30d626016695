/** Entities of the federated graph: their keys, and batched lookup by key with the visibility rules of each type's own query. */
import type { Context } from '../../../context.ts';
import { createPerRequestLoader } from '../../../lib/cache/per-request-loader.ts';
import { isId } from '../../../lib/ids.ts';
import { loadVisibleProductsBySlugs, loadVisibleVariants } from '../../products/read/load-products.ts';
import { addNodeType, type LoadRecordsByIds, recordLoadersByType } from '../find-node.ts';

/** Entity of another subgraph: its type and the fields of one of its keys, perhaps with further fields. */
export type EntityRepresentation = Readonly<Record<string, unknown>> & { readonly __typename: string };

interface EntityKey {
  readonly fields: readonly string[];
  find(ctx: Context, values: readonly string[]): Promise<object | undefined>;
}

function idKey(loadRecords: LoadRecordsByIds<object>): EntityKey {
  const load = createPerRequestLoader(loadRecords);
  return {
    fields: ['id'],
    find: async (ctx, [id = '']) => (isId(id) ? load(ctx, id.toLowerCase()) : undefined),
  };
}

const separator = '/';

const loadProductBySlug = createPerRequestLoader(async (ctx: Context, keys) => {
  const addresses = keys.map((key) => {
    const [businessId = '', ...slug] = key.split(separator);
    return { businessId, slug: slug.join(separator) };
  });
  const products = await loadVisibleProductsBySlugs(ctx, addresses);
  return new Map(products.map((product) => [product.businessId + separator + product.slug, product]));
});

const productSlugKey: EntityKey = {
  fields: ['businessId', 'slug'],
  find: async (ctx, [businessId = '', slug = '']) =>
    isId(businessId) ? loadProductBySlug(ctx, businessId.toLowerCase() + separator + slug) : undefined,
};

const { Business, Cart, Category, Collection, Entry, MediaFile, Order, Product, User } = recordLoadersByType;

/** Keys by type, the preferred one first. */
const keysByType: Readonly<Record<string, readonly EntityKey[]>> = {
  Business: [idKey(Business)],
  Cart: [idKey(Cart)],
  Category: [idKey(Category)],
  Collection: [idKey(Collection)],
  Entry: [idKey(Entry)],
  MediaFile: [idKey(MediaFile)],
  Order: [idKey(Order)],
  Product: [idKey(Product), productSlugKey],
  User: [idKey(User)],
  Variant: [idKey(loadVisibleVariants)],
};

export const entityTypes = Object.keys(keysByType);

/** Fields of each key of a type, separated by spaces; empty for a type that is no entity. */
export const entityKeysOf = (type: string): readonly string[] =>
  keysOf(type).map(({ fields }) => fields.join(' '));

const keysOf = (type: string) => (Object.hasOwn(keysByType, type) ? (keysByType[type] ?? []) : []);

const completeKeyOf = (representation: EntityRepresentation) =>
  keysOf(representation.__typename).find(({ fields }) =>
    fields.every((name) => typeof representation[name] === 'string'),
  );

/** Whether the value names an entity type and all fields of one of its keys. */
export const isEntityRepresentation = (value: unknown): value is EntityRepresentation =>
  typeof value === 'object' &&
  value !== null &&
  '__typename' in value &&
  typeof value.__typename === 'string' &&
  completeKeyOf(value as EntityRepresentation) !== undefined;

/** Null when the record does not exist or the viewer may not see it. */
export async function findEntity(ctx: Context, representation: EntityRepresentation): Promise<object | null> {
  const key = completeKeyOf(representation);
  const record = await key?.find(
    ctx,
    key.fields.map((name) => String(representation[name])),
  );
  return record ? addNodeType(record, representation.__typename) : null;
}

/** Customer groups that prices name: they must be of the business, unless the product has named them before. */
import type { Queries } from '../../../db/handles.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { findExistingGroupIds } from '../../groups/customer-groups.ts';
import type { Variant } from '../model.ts';
import type { VariantValues } from '../schemas.ts';

/** A group, and where it was named. */
export interface GroupPriceReference {
  field: string;
  groupId: string;
}

type Priced = Pick<Variant | VariantValues, 'pricing'>;

export const groupPriceReferences = (variants: readonly Priced[] = []): GroupPriceReference[] =>
  variants.flatMap(({ pricing }, variant) =>
    pricing.markets.flatMap(({ groupPrices = [] }, market) =>
      groupPrices.map(({ groupId }, index) => ({
        field: `variants.${variant}.pricing.markets.${market}.groupPrices.${index}.groupId`,
        groupId,
      })),
    ),
  );

/** Those that are not groups of the business. `before` is what the product has named: a group may have gone since. */
export async function findUnknownGroups(
  queries: Queries,
  businessId: string,
  named: readonly GroupPriceReference[],
  before: readonly Priced[] = [],
): Promise<ErrorDetail[]> {
  const known = new Set(groupPriceReferences(before).map(({ groupId }) => groupId));
  const added = named.filter(({ groupId }) => !known.has(groupId));
  if (added.length === 0) return [];
  const ids = [...new Set(added.map(({ groupId }) => groupId))];
  const found = await findExistingGroupIds(queries, businessId, ids);
  return added.flatMap(({ field, groupId }) =>
    found.has(groupId)
      ? []
      : [{ field, error: 'CUSTOMER_GROUP_NOT_FOUND', message: 'The business has no such customer group.' }],
  );
}

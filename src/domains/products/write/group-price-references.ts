/** Customer groups referenced by group prices. New references must exist in the business; references that the product had already are accepted. */
import type { QueryHandle } from '../../../db/index.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { findExistingGroupIds } from '../../groups/manage-customer-groups.ts';
import type { Variant } from '../model.ts';
import type { VariantInputValues } from '../schemas.ts';

/** A referenced group and its input path. */
interface GroupPriceReference {
  field: string;
  groupId: string;
}

type VariantPrices = Pick<Variant | VariantInputValues, 'pricing'>;

export const listGroupPriceReferences = (variants: readonly VariantPrices[] = []): GroupPriceReference[] =>
  variants.flatMap(({ pricing }, variant) =>
    pricing.markets.flatMap(({ groupPrices = [] }, market) =>
      groupPrices.map(({ groupId }, index) => ({
        field: `variants.${variant}.pricing.markets.${market}.groupPrices.${index}.groupId`,
        groupId,
      })),
    ),
  );

/** Errors for references to groups that the business does not have. References in `before` are accepted, because a group may have been deleted since. */
export async function findUnknownGroupErrors(
  queries: QueryHandle,
  businessId: string,
  references: readonly GroupPriceReference[],
  before: readonly VariantPrices[] = [],
): Promise<ErrorDetail[]> {
  const previousIds = new Set(listGroupPriceReferences(before).map(({ groupId }) => groupId));
  const added = references.filter(({ groupId }) => !previousIds.has(groupId));
  if (added.length === 0) return [];
  const ids = [...new Set(added.map(({ groupId }) => groupId))];
  const existingIds = await findExistingGroupIds(queries, businessId, ids);
  return added.flatMap(({ field, groupId }) =>
    existingIds.has(groupId)
      ? []
      : [{ field, error: 'CUSTOMER_GROUP_NOT_FOUND', message: 'The business has no such customer group.' }],
  );
}

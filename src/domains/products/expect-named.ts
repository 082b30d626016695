/** What a product names of its business, files and customer groups, must be there. All that is not is told at once. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalidAll } from '../../errors.ts';
import { fillMedia } from '../media/named.ts';
import type { UpdateProduct } from './checks.ts';
import { namedGroups, unknownGroups } from './group-prices.ts';
import { namedMedia } from './media.ts';
import type { Variant } from './model.ts';

type Input = UpdateProduct['input'];

export const namesSomething = (input: Input): boolean =>
  namedMedia(input).length > 0 || namedGroups(input.variants).length > 0;

/** Within the transaction that writes it; `before` are the variants that the product has. */
export async function expectNamed(
  ctx: Context,
  tx: Queries,
  businessId: string,
  input: Input,
  before: readonly Variant[] = [],
): Promise<void> {
  const faults = [
    ...(await fillMedia(ctx, tx, businessId, namedMedia(input))),
    ...(await unknownGroups(tx, businessId, namedGroups(input.variants), before)),
  ];
  if (faults.length > 0) throw invalidAll(faults);
}

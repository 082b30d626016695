/** Where an order goes and who is billed: addresses that were sent, or chosen from the viewer's own profile. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { type ErrorDetail, validationError } from '../../errors.ts';
import { mutuallyExclusive, optionalInput } from '../../lib/validation/input.ts';
import { optionalText } from '../orders/schemas.ts';
import { type PostalAddress, postalAddressSchema } from '../shared/postal-address.ts';
import { findProfileAddress } from '../users/account/profile-addresses.ts';

const kinds = ['shippingAddress', 'billingAddress'] as const;

export type CheckoutAddresses = { [Kind in (typeof kinds)[number]]?: PostalAddress | undefined };

export const addressSchemaFields = {
  shippingAddress: optionalInput(postalAddressSchema),
  shippingAddressId: optionalText(100),
  billingAddress: optionalInput(postalAddressSchema),
  billingAddressId: optionalText(100),
};

/** For objects with these fields: an address is sent or chosen, not both. */
export const refineAddressChoice = (value: unknown, ctx: z.core.$RefinementCtx): void => {
  for (const kind of kinds) mutuallyExclusive(`${kind}Id`, kind)(value, ctx);
};

type Wanted = z.output<z.ZodObject<typeof addressSchemaFields>>;

/** What was chosen must be all that its country needs, like what is sent; every fault is told at once. */
export async function resolveAddresses(
  ctx: Context,
  queries: Queries,
  wanted: Wanted,
): Promise<CheckoutAddresses> {
  const chosen: CheckoutAddresses = {};
  const faults: ErrorDetail[] = [];
  for (const kind of kinds) {
    const [sent, field] = [wanted[kind], `${kind}Id` as const];
    const id = wanted[field];
    const outcome = id === undefined ? sent : await fromProfile(ctx, queries, field, id);
    if (outcome && 'error' in outcome) faults.push(outcome);
    else if (outcome) chosen[kind] = outcome;
  }
  if (faults.length > 0) throw validationError(...faults);
  return chosen;
}

async function fromProfile(
  { viewer }: Context,
  queries: Queries,
  field: string,
  id: string,
): Promise<PostalAddress | ErrorDetail> {
  const found = viewer.accountUser && (await findProfileAddress(queries, viewer.accountUser.userId, id));
  if (!found)
    return { field, error: 'ADDRESS_NOT_FOUND', message: 'There is no such address in your profile.' };
  const checked = postalAddressSchema.safeParse(found);
  if (checked.success) return checked.data;
  const parts = [...new Set(checked.error.issues.map(({ path }) => path.join('.')))].join(', ');
  return {
    field,
    error: 'ADDRESS_INCOMPLETE',
    message: `This address cannot be used yet: see its ${parts}.`,
  };
}

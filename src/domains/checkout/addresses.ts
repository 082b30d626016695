/** Where an order goes and who is billed: addresses that were sent, or chosen from the viewer's own profile. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid } from '../../errors.ts';
import { instead, optional } from '../../lib/input.ts';
import { optionalText } from '../orders/checks.ts';
import { type PostalAddress, postalAddressCheck } from '../shared/postal-address.ts';
import { profileAddress } from '../users/profile-addresses.ts';

const kinds = ['shippingAddress', 'billingAddress'] as const;

export type Addresses = { [Kind in (typeof kinds)[number]]?: PostalAddress | undefined };

export const addressFields = {
  shippingAddress: optional(postalAddressCheck),
  shippingAddressId: optionalText(100),
  billingAddress: optional(postalAddressCheck),
  billingAddressId: optionalText(100),
};

/** For objects with these fields: an address is sent or chosen, not both. */
export const oneAddressEach = (value: unknown, ctx: z.core.$RefinementCtx): void => {
  for (const kind of kinds) instead(`${kind}Id`, kind)(value, ctx);
};

type Wanted = z.output<z.ZodObject<typeof addressFields>>;

/** What was chosen must be all that its country needs, like what is sent; every fault is told at once. */
export async function chosenAddresses(ctx: Context, queries: Queries, wanted: Wanted): Promise<Addresses> {
  const chosen: Addresses = {};
  const faults: ErrorDetail[] = [];
  for (const kind of kinds) {
    const [sent, field] = [wanted[kind], `${kind}Id` as const];
    const id = wanted[field];
    const outcome = id === undefined ? sent : await fromProfile(ctx, queries, field, id);
    if (outcome && 'error' in outcome) faults.push(outcome);
    else if (outcome) chosen[kind] = outcome;
  }
  if (faults.length > 0) throw invalid(...faults);
  return chosen;
}

async function fromProfile(
  { viewer }: Context,
  queries: Queries,
  field: string,
  id: string,
): Promise<PostalAddress | ErrorDetail> {
  const found = viewer.person && (await profileAddress(queries, viewer.person.userId, id));
  if (!found)
    return { field, error: 'ADDRESS_NOT_FOUND', message: 'There is no such address in your profile.' };
  const checked = postalAddressCheck.safeParse(found);
  if (checked.success) return checked.data;
  const parts = [...new Set(checked.error.issues.map(({ path }) => path.join('.')))].join(', ');
  return {
    field,
    error: 'ADDRESS_INCOMPLETE',
    message: `This address cannot be used yet: see its ${parts}.`,
  };
}

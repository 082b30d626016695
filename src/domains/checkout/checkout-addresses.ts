/** Shipping and billing address of a checkout: sent in the input, or referenced by id in the viewer's profile. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import { optionalInput, refineMutuallyExclusive } from '../../lib/validation/input.ts';
import { buildOptionalTextSchema } from '../orders/schemas.ts';
import { type PostalAddress, postalAddressSchema } from '../shared/postal-address-schema-and-rules.ts';
import { findProfileAddress } from '../users/account/profile-address-ids-and-lookup.ts';

const kinds = ['shippingAddress', 'billingAddress'] as const;

export type CheckoutAddresses = { [Kind in (typeof kinds)[number]]?: PostalAddress | undefined };

export const checkoutAddressSchemaFields = {
  shippingAddress: optionalInput(postalAddressSchema),
  shippingAddressId: buildOptionalTextSchema(100),
  billingAddress: optionalInput(postalAddressSchema),
  billingAddressId: buildOptionalTextSchema(100),
};

/** Zod refinement: `shippingAddress` and `shippingAddressId` exclude each other, likewise for billing. */
export const refineAddressChoice = (value: unknown, ctx: z.core.$RefinementCtx): void => {
  for (const kind of kinds) refineMutuallyExclusive(`${kind}Id`, kind)(value, ctx);
};

type AddressInput = z.output<z.ZodObject<typeof checkoutAddressSchemaFields>>;

/** Validates profile addresses like sent ones, by the rules of their country. Reports all errors at once. */
export async function resolveCheckoutAddresses(
  ctx: Context,
  queries: QueryHandle,
  input: AddressInput,
): Promise<CheckoutAddresses> {
  const addresses: CheckoutAddresses = {};
  const errors: ErrorDetail[] = [];
  for (const kind of kinds) {
    const [sentAddress, field] = [input[kind], `${kind}Id` as const];
    const id = input[field];
    const result = id === undefined ? sentAddress : await loadProfileAddress(ctx, queries, field, id);
    if (result && 'error' in result) errors.push(result);
    else if (result) addresses[kind] = result;
  }
  if (errors.length > 0) throw validationErrorFrom(errors);
  return addresses;
}

async function loadProfileAddress(
  { viewer }: Context,
  queries: QueryHandle,
  field: string,
  id: string,
): Promise<PostalAddress | ErrorDetail> {
  const address = viewer.accountUser && (await findProfileAddress(queries, viewer.accountUser.userId, id));
  if (!address)
    return { field, error: 'ADDRESS_NOT_FOUND', message: 'Your profile has no address with this id.' };
  const parsed = postalAddressSchema.safeParse(address);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ');
  return {
    field,
    error: 'ADDRESS_INCOMPLETE',
    message: `This address is incomplete or invalid: check ${fields}.`,
  };
}

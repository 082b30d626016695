/** What callers of carts must send. Prices they carry are ignored. */
import { z } from 'zod';
import { optionalInput, requiredTextSchema, textSchema, withDetailCode } from '../../lib/validation/input.ts';
import { customerBlocksSchema } from '../blocks/schemas.ts';
import { addressSchemaFields, refineAddressChoice } from '../checkout/addresses.ts';
import { mergePaymentMethod, paymentMethodSchemaFields, refinePaymentMethod } from '../checkout/schemas.ts';
import { cartLineSchema, localeSchema, optionalText } from '../orders/schemas.ts';
import { isReservedBlockId } from './write/order-content.ts';

const address = { businessId: z.string(), version: optionalInput(z.number().int()) };
const ofLine = { ...address, lineId: z.string() };

/** An empty text takes a value away; without one it stays. */
const clearable = (max: number) => optionalInput(textSchema(max).transform((value) => value.trim()));

const cartBlocks = customerBlocksSchema.refine(
  (blocks) => !blocks.some(({ id }) => isReservedBlockId(id)),
  withDetailCode('INVALID_VALUE', 'The id `note`, and those that begin with `lines.`, are reserved.'),
);

const maxLineBlocks = 20;
const maxLineBlockId = 100;

const lineBlocks = customerBlocksSchema.refine(
  (blocks) => blocks.length <= maxLineBlocks && blocks.every(({ id }) => id.length <= maxLineBlockId),
  withDetailCode(
    'TOO_LONG',
    `At most ${maxLineBlocks} blocks, with ids of at most ${maxLineBlockId} characters.`,
  ),
);

const fields = {
  blocks: optionalInput(cartBlocks),
  ...addressSchemaFields,
  note: clearable(2000),
  promoCode: clearable(100),
  shippingMethodId: clearable(100),
};

export const openCartSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ market: requiredTextSchema(50), ...fields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

export const updateCartSchema = z.object({
  ...address,
  input: z
    .object({ market: optionalInput(requiredTextSchema(50)), ...fields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

export const addCartLineSchema = z.object({
  ...address,
  input: cartLineSchema.omit({ type: true }).extend({ blocks: optionalInput(lineBlocks) }),
});

export const updateCartLineSchema = z.object({
  ...ofLine,
  input: z.object({
    quantity: optionalInput(cartLineSchema.shape.quantity),
    blocks: optionalInput(lineBlocks),
  }),
});

export const deleteCartSchema = z.object(address);
export const removeCartLineSchema = z.object(ofLine);

export const mergeCartSchema = z.object({
  businessId: z.string(),
  input: z.object({ guestToken: requiredTextSchema(10_000) }),
});

export const checkoutCartSchema = z.object({
  ...address,
  input: z
    .object({
      ...paymentMethodSchemaFields,
      quote: optionalText(200_000),
      returnUrl: optionalText(2048),
      cancelUrl: optionalText(2048),
      locale: localeSchema,
    })
    .superRefine(refinePaymentMethod, { when: () => true })
    .transform(mergePaymentMethod),
});

export type OpenCartArgs = z.output<typeof openCartSchema>;
export type UpdateCartArgs = z.output<typeof updateCartSchema>;
export type AddCartLineArgs = z.output<typeof addCartLineSchema>;
export type UpdateCartLineArgs = z.output<typeof updateCartLineSchema>;
export type MergeCartArgs = z.output<typeof mergeCartSchema>;
export type CheckoutCartArgs = z.output<typeof checkoutCartSchema>;

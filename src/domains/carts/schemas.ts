/** Zod schemas of cart mutations. Prices in the input are ignored. */
import { z } from 'zod';
import { optionalInput, requiredTextSchema, textSchema, withDetailCode } from '../../lib/validation/input.ts';
import { customerBlocksSchema } from '../blocks/schemas.ts';
import { addressSchemaFields, refineAddressChoice } from '../checkout/addresses.ts';
import { mergePaymentMethod, paymentMethodSchemaFields, refinePaymentMethod } from '../checkout/schemas.ts';
import { cartLineSchema, localeSchema, optionalText } from '../orders/schemas.ts';
import { isReservedBlockId } from './write/order-content.ts';

const cartArgs = { businessId: z.string(), version: optionalInput(z.number().int()) };
const lineArgs = { ...cartArgs, lineId: z.string() };

/** An empty string clears the value; an omitted one keeps it. */
const clearableText = (max: number) => optionalInput(textSchema(max).transform((value) => value.trim()));

const cartBlocks = customerBlocksSchema.refine(
  (blocks) => !blocks.some(({ id }) => isReservedBlockId(id)),
  withDetailCode('INVALID_VALUE', 'The id `note` and ids with the prefix `lines.` are reserved.'),
);

const maxLineBlocks = 20;
const maxLineBlockIdLength = 100;

const lineBlocks = customerBlocksSchema.refine(
  (blocks) => blocks.length <= maxLineBlocks && blocks.every(({ id }) => id.length <= maxLineBlockIdLength),
  withDetailCode(
    'TOO_LONG',
    `At most ${maxLineBlocks} blocks, with ids of at most ${maxLineBlockIdLength} characters.`,
  ),
);

const cartFields = {
  blocks: optionalInput(cartBlocks),
  ...addressSchemaFields,
  note: clearableText(2000),
  promoCode: clearableText(100),
  shippingMethodId: clearableText(100),
};

export const openCartSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ market: requiredTextSchema(50), ...cartFields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

export const updateCartSchema = z.object({
  ...cartArgs,
  input: z
    .object({ market: optionalInput(requiredTextSchema(50)), ...cartFields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

export const addCartLineSchema = z.object({
  ...cartArgs,
  input: cartLineSchema.omit({ type: true }).extend({ blocks: optionalInput(lineBlocks) }),
});

export const updateCartLineSchema = z.object({
  ...lineArgs,
  input: z.object({
    quantity: optionalInput(cartLineSchema.shape.quantity),
    blocks: optionalInput(lineBlocks),
  }),
});

export const deleteCartSchema = z.object(cartArgs);
export const removeCartLineSchema = z.object(lineArgs);

export const mergeCartSchema = z.object({
  businessId: z.string(),
  input: z.object({ guestToken: requiredTextSchema(10_000) }),
});

export const checkoutCartSchema = z.object({
  ...cartArgs,
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

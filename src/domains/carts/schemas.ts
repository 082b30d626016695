/** Zod schemas of cart mutations. Prices in the input are ignored. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { customerBlocksSchema } from '../blocks/schemas.ts';
import { checkoutAddressSchemaFields, refineAddressChoice } from '../checkout/checkout-addresses.ts';
import { mergePaymentMethod, paymentMethodSchemaFields, refinePaymentMethod } from '../checkout/schemas.ts';
import { contactSchemaFields } from '../orders/guests/contact-schemas.ts';
import { buildOptionalTextSchema, cartLineSchema, optionalLocaleSchema } from '../orders/schemas.ts';
import { isReservedOrderBlockId } from './write/cart-and-order-content-mapping.ts';

const cartArgs = { businessId: z.string(), version: optionalInput(z.number().int()) };
const lineArgs = { ...cartArgs, lineId: z.string() };

/** An empty string clears the value; an omitted one keeps it. */
const clearableText = (max: number) => optionalInput(buildTextSchema(max).transform((value) => value.trim()));

const cartBlocks = customerBlocksSchema.refine(
  (blocks) => !blocks.some(({ id }) => isReservedOrderBlockId(id)),
  detailCodeRefineOptions('INVALID_VALUE', 'The id `note` and ids with the prefix `lines.` are reserved.'),
);

const maxLineBlocks = 20;
const maxLineBlockIdLength = 100;

const lineBlocks = customerBlocksSchema.refine(
  (blocks) => blocks.length <= maxLineBlocks && blocks.every(({ id }) => id.length <= maxLineBlockIdLength),
  detailCodeRefineOptions(
    'TOO_LONG',
    `At most ${maxLineBlocks} blocks, with ids of at most ${maxLineBlockIdLength} characters.`,
  ),
);

const cartFields = {
  blocks: optionalInput(cartBlocks),
  ...checkoutAddressSchemaFields,
  ...contactSchemaFields,
  marketingConsent: optionalInput(z.boolean()),
  note: clearableText(2000),
  promoCode: clearableText(100),
  shippingMethodId: clearableText(100),
};

export const openCartSchema = z.object({
  businessId: z.string(),
  input: z
    .object({ market: buildRequiredTextSchema(50), ...cartFields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

export const updateCartSchema = z.object({
  ...cartArgs,
  input: z
    .object({ market: optionalInput(buildRequiredTextSchema(50)), ...cartFields })
    .superRefine(refineAddressChoice, { when: () => true }),
});

const variantOrSku = refineMutuallyExclusive('sku', 'variantId');

const requireVariantOrSku = (value: unknown, ctx: z.core.$RefinementCtx): void => {
  const { variantId, sku } = (value ?? {}) as { variantId?: unknown; sku?: unknown };
  if (variantId == null && sku == null)
    ctx.addIssue({
      code: 'custom',
      path: ['variantId'],
      message: 'This field is required, or sku.',
      params: { error: 'REQUIRED' },
    });
};

/** A variant is named by its id or its SKU; the product is optional. */
export const addCartLineSchema = z.object({
  ...cartArgs,
  input: z
    .object({
      productId: optionalInput(cartLineSchema.shape.productId),
      variantId: optionalInput(cartLineSchema.shape.variantId),
      sku: optionalInput(buildRequiredTextSchema(200)),
      quantity: cartLineSchema.shape.quantity,
      blocks: optionalInput(lineBlocks),
    })
    .superRefine(variantOrSku, { when: () => true })
    .superRefine(requireVariantOrSku, { when: () => true }),
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
  input: z.object({ guestToken: buildRequiredTextSchema(10_000) }),
});

export const checkoutCartSchema = z.object({
  ...cartArgs,
  input: z
    .object({
      ...paymentMethodSchemaFields,
      quote: buildOptionalTextSchema(200_000),
      returnUrl: buildOptionalTextSchema(2048),
      cancelUrl: buildOptionalTextSchema(2048),
      ...contactSchemaFields,
      locale: optionalLocaleSchema,
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

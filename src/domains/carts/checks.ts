/** What callers of carts must send. Prices they carry are ignored. */
import { z } from 'zod';
import { optional, requiredText, rule, text } from '../../lib/input.ts';
import { answeredBlocksCheck } from '../blocks/checks.ts';
import { addressFields, oneAddressEach } from '../checkout/addresses.ts';
import { methodFields, oneMethod, withMethod } from '../checkout/checks.ts';
import { cartLine, localeCheck, optionalText } from '../orders/checks.ts';
import { isReserved } from './order-content.ts';

const address = { businessId: z.string(), version: optional(z.number().int()) };
const ofLine = { ...address, lineId: z.string() };

/** An empty text takes a value away; without one it stays. */
const clearable = (max: number) => optional(text(max).transform((value) => value.trim()));

const cartBlocks = answeredBlocksCheck.refine(
  (blocks) => !blocks.some(({ id }) => isReserved(id)),
  rule('INVALID_VALUE', 'The id `note`, and those that begin with `lines.`, are reserved.'),
);

const maxLineBlocks = 20;
const maxLineBlockId = 100;

const lineBlocks = answeredBlocksCheck.refine(
  (blocks) => blocks.length <= maxLineBlocks && blocks.every(({ id }) => id.length <= maxLineBlockId),
  rule('TOO_LONG', `At most ${maxLineBlocks} blocks, with ids of at most ${maxLineBlockId} characters.`),
);

const fields = {
  blocks: optional(cartBlocks),
  ...addressFields,
  note: clearable(2000),
  promoCode: clearable(100),
  shippingMethodId: clearable(100),
};

export const openCartCheck = z.object({
  businessId: z.string(),
  input: z.object({ market: requiredText(50), ...fields }).superRefine(oneAddressEach, { when: () => true }),
});

export const updateCartCheck = z.object({
  ...address,
  input: z
    .object({ market: optional(requiredText(50)), ...fields })
    .superRefine(oneAddressEach, { when: () => true }),
});

export const addLineCheck = z.object({
  ...address,
  input: cartLine.omit({ type: true }).extend({ blocks: optional(lineBlocks) }),
});

export const updateLineCheck = z.object({
  ...ofLine,
  input: z.object({ quantity: optional(cartLine.shape.quantity), blocks: optional(lineBlocks) }),
});

export const cartAddressCheck = z.object(address);
export const lineAddressCheck = z.object(ofLine);

export const mergeCartCheck = z.object({
  businessId: z.string(),
  input: z.object({ guestToken: requiredText(10_000) }),
});

export const checkoutCartCheck = z.object({
  ...address,
  input: z
    .object({
      ...methodFields,
      quote: optionalText(200_000),
      returnUrl: optionalText(2048),
      cancelUrl: optionalText(2048),
      locale: localeCheck,
    })
    .superRefine(oneMethod, { when: () => true })
    .transform(withMethod),
});

export type OpenCart = z.output<typeof openCartCheck>;
export type UpdateCart = z.output<typeof updateCartCheck>;
export type AddLine = z.output<typeof addLineCheck>;
export type UpdateLine = z.output<typeof updateLineCheck>;
export type MergeCart = z.output<typeof mergeCartCheck>;
export type CheckoutCart = z.output<typeof checkoutCartCheck>;

/** What a cart sent for a quote or a checkout must look like. Prices it carries are ignored. */
import { z } from 'zod';
import { currency, instead, optional, requiredText, rule } from '../../lib/input.ts';
import { answeredBlocksCheck } from '../blocks/checks.ts';
import { cartLine, linesOf, localeCheck, optionalText } from '../orders/checks.ts';
import { paymentMethods } from '../orders/model.ts';
import { customersWordsBytes, isShort } from '../shared/record-size.ts';
import { addressFields, oneAddressEach } from './addresses.ts';

/** Named by a word or, instead, by the enum. */
export const methodFields = {
  paymentMethod: optionalText(100),
  payBy: optional(z.enum(paymentMethods)),
};

const cart = {
  market: requiredText(50),
  ...methodFields,
  shippingMethodId: optionalText(100),
  promoCode: optionalText(100),
};

export const oneMethod = instead('payBy', 'paymentMethod');

export const withMethod = <Cart extends { payBy?: string | undefined; paymentMethod?: string | undefined }>({
  payBy,
  ...input
}: Cart) => ({ ...input, paymentMethod: payBy ?? input.paymentMethod });

export const quoteCheck = z.object({
  input: z
    .object({
      businessId: requiredText(200),
      currency: optional(currency),
      lines: linesOf(cartLine),
      ...cart,
    })
    .superRefine(oneMethod, { when: () => true })
    .transform(withMethod),
});

const shortBlocks = answeredBlocksCheck.refine(
  (blocks) => isShort(blocks),
  rule('TOO_LONG', `Must have at most ${customersWordsBytes} bytes in all.`),
);

const linesOrItems = instead('lines', 'items');

function somethingToBuy(value: unknown, ctx: z.core.$RefinementCtx): void {
  const { lines, items } = (value ?? {}) as { lines?: unknown; items?: unknown };
  if (lines == null && items == null)
    ctx.addIssue({
      code: 'custom',
      path: ['items'],
      message: 'This field is required.',
      params: { error: 'REQUIRED' },
    });
}

export const checkoutCheck = z.object({
  businessId: z.string(),
  input: z
    .object({
      lines: optional(linesOf(cartLine)),
      items: optional(linesOf(cartLine)),
      blocks: optional(shortBlocks),
      quote: optionalText(200_000),
      returnUrl: optionalText(2048),
      cancelUrl: optionalText(2048),
      ...addressFields,
      locale: localeCheck,
      ...cart,
    })
    .superRefine(oneMethod, { when: () => true })
    .superRefine(oneAddressEach, { when: () => true })
    .superRefine(linesOrItems, { when: () => true })
    .superRefine(somethingToBuy, { when: () => true })
    .transform(withMethod)
    .transform(({ lines, items = [], ...input }) => ({
      items: lines ?? items,
      field: lines ? ('lines' as const) : ('items' as const),
      ...input,
    })),
});

export type QuoteRequest = z.output<typeof quoteCheck>['input'];
export type CheckoutRequest = z.output<typeof checkoutCheck>;

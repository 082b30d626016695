/** Zod schemas of quotes and checkout. Prices in the input are ignored. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  buildRequiredTextSchema,
  currencySchema,
  detailCodeRefineOptions,
  optionalInput,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { customerBlocksSchema } from '../blocks/schemas.ts';
import { contactSchemaFields } from '../orders/guests/contact-schemas.ts';
import { paymentMethods } from '../orders/model.ts';
import {
  buildOptionalTextSchema,
  buildOrderLinesSchema,
  cartLineSchema,
  optionalLocaleSchema,
} from '../orders/schemas.ts';
import { isWithinCustomerTextLimit, maxCustomerTextBytes } from '../shared/record-size-limits.ts';
import { checkoutAddressSchemaFields, refineAddressChoice } from './checkout-addresses.ts';

/** Payment method as a string (`paymentMethod`) or as an enum (`payBy`). */
export const paymentMethodSchemaFields = {
  paymentMethod: buildOptionalTextSchema(100),
  payBy: optionalInput(z.enum(paymentMethods)),
};

const cart = {
  market: buildRequiredTextSchema(50),
  ...paymentMethodSchemaFields,
  shippingMethodId: buildOptionalTextSchema(100),
  promoCode: buildOptionalTextSchema(100),
};

export const refinePaymentMethod = refineMutuallyExclusive('payBy', 'paymentMethod');

export const mergePaymentMethod = <
  Cart extends { payBy?: string | undefined; paymentMethod?: string | undefined },
>({
  payBy,
  ...input
}: Cart) => ({ ...input, paymentMethod: payBy ?? input.paymentMethod });

export const quoteSchema = z.object({
  input: z
    .object({
      businessId: buildRequiredTextSchema(200),
      currency: optionalInput(currencySchema),
      lines: buildOrderLinesSchema(cartLineSchema),
      ...cart,
    })
    .superRefine(refinePaymentMethod, { when: () => true })
    .transform(mergePaymentMethod),
});

const limitedBlocks = customerBlocksSchema.refine(
  (blocks) => isWithinCustomerTextLimit(blocks),
  detailCodeRefineOptions('TOO_LONG', `Must have at most ${maxCustomerTextBytes} bytes in all.`),
);

const linesOrItems = refineMutuallyExclusive('lines', 'items');

/** `field` is the name that the protocol documents. */
const requireLinesOrItems =
  (field: 'lines' | 'items') =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const { lines, items } = (value ?? {}) as { lines?: unknown; items?: unknown };
    if (lines == null && items == null)
      ctx.addIssue({
        code: 'custom',
        path: [field],
        message: 'This field is required.',
        params: { error: 'REQUIRED' },
      });
  };

const buildCheckoutSchema = (requiredField: 'lines' | 'items') =>
  z.object({
    businessId: z.string(),
    input: z
      .object({
        lines: optionalInput(buildOrderLinesSchema(cartLineSchema)),
        items: optionalInput(buildOrderLinesSchema(cartLineSchema)),
        blocks: optionalInput(limitedBlocks),
        quote: buildOptionalTextSchema(200_000),
        returnUrl: buildOptionalTextSchema(2048),
        cancelUrl: buildOptionalTextSchema(2048),
        ...checkoutAddressSchemaFields,
        ...contactSchemaFields,
        locale: optionalLocaleSchema,
        ...cart,
      })
      .superRefine(refinePaymentMethod, { when: () => true })
      .superRefine(refineAddressChoice, { when: () => true })
      .superRefine(linesOrItems, { when: () => true })
      .superRefine(requireLinesOrItems(requiredField), { when: () => true })
      .transform(mergePaymentMethod)
      .transform(({ lines, items = [], ...input }) => ({
        items: lines ?? items,
        field: lines ? ('lines' as const) : ('items' as const),
        ...input,
      })),
  });

const graphqlSchema = buildCheckoutSchema('lines');
const restSchema = buildCheckoutSchema('items');

/** Without lines, REST reports its documented field `items`, which is deprecated in GraphQL. */
export const selectCheckoutSchema = ({ request }: Pick<Context, 'request'>) =>
  request.protocol === 'rest' ? restSchema : graphqlSchema;

export type QuoteRequest = z.output<typeof quoteSchema>['input'];
export type CheckoutArgs = z.output<typeof graphqlSchema>;

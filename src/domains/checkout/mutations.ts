/** Mutations of checkout. */
import { builder } from '../../graphql/schema/builder.ts';
import { errorsAsData } from '../../graphql/schema/error-unions.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { checkout } from './checkout.ts';
import { CheckoutInput } from './inputs.ts';
import { checkoutSchema } from './schemas.ts';
import { CheckoutOutcome, CheckoutPayload } from './types.ts';

const ordered = validatedField(checkoutSchema, (args, ctx) => checkout(ctx, args));

builder.mutationFields((t) => ({
  checkout: t.field({
    type: CheckoutPayload,
    description: 'Orders a cart: takes stock, claims the promo code, and opens a page to pay on.',
    authScopes: { account: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      input: t.arg({ type: CheckoutInput, required: true, description: 'The cart.' }),
    },
    ...ordered,
  }),
  tryCheckout: t.field({
    type: CheckoutOutcome,
    description: 'The same as `checkout`; a refusal, such as for want of stock, is an answer.',
    authScopes: { account: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      input: t.arg({ type: CheckoutInput, required: true, description: 'The cart.' }),
    },
    ...errorsAsData(ordered),
  }),
}));

/** Mutations of checkout. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { orRefusal } from '../../graphql/refusal.ts';
import { checkout } from './checkout.ts';
import { checkoutCheck } from './checks.ts';
import { CheckoutInput } from './inputs.ts';
import { CheckoutOutcome, CheckoutPayload } from './types.ts';

const ordered = checked(checkoutCheck, (args, ctx) => checkout(ctx, args));

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
    ...orRefusal(ordered),
  }),
}));

/** Mutations of checkout. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { onRecord } from '../../graphql/scopes.ts';
import { OrderPayload } from '../orders/mutations.ts';
import { checkout } from './checkout.ts';
import { checkoutCheck, refundCheck } from './checks.ts';
import { refundOrder } from './refunds.ts';
import { CheckoutInput, CheckoutPayload, RefundInput } from './types.ts';

builder.mutationFields((t) => ({
  checkout: t.field({
    type: CheckoutPayload,
    description: 'Orders a cart: takes stock, claims the promo code, and opens a page to pay on.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      input: t.arg({ type: CheckoutInput, required: true, description: 'The cart.' }),
    },
    ...checked(checkoutCheck, (args, ctx) => checkout(ctx, args)),
  }),
  refundOrder: t.field({
    type: OrderPayload,
    description:
      'Sends money back through the payment provider, never more than it has taken. Needs ORDERS_WRITE.',
    authScopes: onRecord('ORDERS_WRITE', 'Order'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the order.' }),
      input: t.arg({ type: RefundInput, required: true, description: 'What to refund.' }),
    },
    ...checked(refundCheck, async (args, ctx) => ({ order: await refundOrder(ctx, args) })),
  }),
}));

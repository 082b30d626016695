/** GraphQL mutations `checkout` and `tryCheckout`. */
import { builder } from '../../graphql/schema/builder.ts';
import { errorsAsData } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { checkout } from './checkout.ts';
import { CheckoutInput } from './inputs.ts';
import { selectCheckoutSchema } from './schemas.ts';
import { CheckoutOutcome, CheckoutPayload } from './types.ts';

const checkoutResolver = validatedField(selectCheckoutSchema, checkout);

builder.mutationFields((t) => ({
  checkout: t.field({
    type: CheckoutPayload,
    description:
      'Places an order for a cart: reserves stock, claims the promo code and opens a payment page.',
    authScopes: { account: true },
    args: fieldArgs({ businessId: ['ID!', 'The business.'], ...inputArg(CheckoutInput, 'The cart.') }),
    ...checkoutResolver,
  }),
  tryCheckout: t.field({
    type: CheckoutOutcome,
    description:
      'Like `checkout`, but returns expected failures, such as insufficient stock, as data instead of errors.',
    authScopes: { account: true },
    args: fieldArgs({ businessId: ['ID!', 'The business.'], ...inputArg(CheckoutInput, 'The cart.') }),
    ...errorsAsData(checkoutResolver),
  }),
}));

/** GraphQL mutations of carts. Each viewer can change only their own cart. */
import { builder } from '../../graphql/schema/builder.ts';
import { errorsAsData } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { CheckoutOutcome, CheckoutPayload } from '../checkout/types.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import {
  AddCartLineInput,
  CheckoutCartInput,
  MergeCartInput,
  OpenCartInput,
  UpdateCartInput,
  UpdateCartLineInput,
} from './inputs.ts';
import {
  addCartLineSchema,
  checkoutCartSchema,
  deleteCartSchema,
  mergeCartSchema,
  openCartSchema,
  removeCartLineSchema,
  updateCartLineSchema,
  updateCartSchema,
} from './schemas.ts';
import { CartGraphqlType } from './types.ts';
import { addCartLine, removeCartLine, updateCartLine } from './write/change-own-cart-lines.ts';
import { checkoutCart } from './write/check-out-own-cart.ts';
import { deleteOwnCart } from './write/delete-own-cart.ts';
import { mergeCart } from './write/merge-guest-cart-into-own.ts';
import { openCart, updateCart } from './write/open-and-update-own-cart.ts';

const CartPayload = createPayloadType('CartPayload', 'cart', CartGraphqlType);

const checkoutField = validatedField(checkoutCartSchema, checkoutCart);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const lineId = t.arg.id({ required: true, description: 'Id of the line.' });
  const version = t.arg.int({
    description: 'Expected version: fails with PRECONDITION_FAILED when the current version differs.',
  });
  const checkoutArgs = { businessId, version, ...inputArg(CheckoutCartInput, 'Payment options.') };
  return {
    openCart: t.field({
      type: CartPayload,
      description:
        "Opens the viewer's cart in a business, or updates the fields in the input when the viewer already has one.",
      authScopes: { account: true },
      args: { businessId, ...inputArg(OpenCartInput, 'The cart.') },
      ...validatedField(openCartSchema, asPayload('cart', openCart)),
    }),
    updateCart: t.field({
      type: CartPayload,
      description: "Updates the fields in the input of the viewer's cart.",
      authScopes: { account: true },
      args: { businessId, version, ...inputArg(UpdateCartInput, 'Fields to update.') },
      ...validatedField(updateCartSchema, asPayload('cart', updateCart)),
    }),
    deleteCart: t.field({
      type: DeletedPayload,
      description: "Deletes the viewer's cart.",
      authScopes: { account: true },
      args: { businessId, version },
      ...validatedField(deleteCartSchema, deleteOwnCart),
    }),
    addCartLine: t.field({
      type: CartPayload,
      description:
        "Adds a line to the viewer's cart. When a line has the same variant and blocks, its quantity increases instead.",
      authScopes: { account: true },
      args: { businessId, version, ...inputArg(AddCartLineInput, 'The line.') },
      ...validatedField(addCartLineSchema, asPayload('cart', addCartLine)),
    }),
    updateCartLine: t.field({
      type: CartPayload,
      description: "Updates the quantity or the blocks of a line of the viewer's cart.",
      authScopes: { account: true },
      args: { businessId, lineId, version, ...inputArg(UpdateCartLineInput, 'Fields to update.') },
      ...validatedField(updateCartLineSchema, asPayload('cart', updateCartLine)),
    }),
    removeCartLine: t.field({
      type: CartPayload,
      description: "Removes a line from the viewer's cart.",
      authScopes: { account: true },
      args: { businessId, lineId, version },
      ...validatedField(removeCartLineSchema, asPayload('cart', removeCartLine)),
    }),
    mergeCart: t.field({
      type: CartPayload,
      description:
        "Merges the cart of a guest into the viewer's own and deletes the guest's cart. Not available to guests.",
      authScopes: (_root, args) => ({ confirmedIn: args.businessId }),
      args: { businessId, ...inputArg(MergeCartInput, 'The guest whose cart to merge.') },
      ...validatedField(mergeCartSchema, asPayload('cart', mergeCart)),
    }),
    checkoutCart: t.field({
      type: CheckoutPayload,
      description: "Creates an order from the viewer's cart, like `checkout`, and empties the cart.",
      authScopes: { account: true },
      args: checkoutArgs,
      ...checkoutField,
    }),
    tryCheckoutCart: t.field({
      type: CheckoutOutcome,
      description:
        'Like `checkoutCart`, but returns expected failures, such as insufficient stock, as data instead of errors.',
      authScopes: { account: true },
      args: checkoutArgs,
      ...errorsAsData(checkoutField),
    }),
  };
});

/** Mutations of carts: everybody changes their own alone. */
import { builder } from '../../graphql/schema/builder.ts';
import { errorsAsData } from '../../graphql/schema/error-unions.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { CheckoutOutcome, CheckoutPayload } from '../checkout/types.ts';
import { DeletedPayload } from '../shared/types.ts';
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
import { CartType } from './types.ts';
import { addCartLine, removeCartLine, updateCartLine } from './write/cart-lines.ts';
import { checkoutCart } from './write/checkout-cart.ts';
import { deleteOwnCart } from './write/delete-cart.ts';
import { mergeCart } from './write/merge-cart.ts';
import { openCart, updateCart } from './write/update-cart.ts';

const CartPayload = createPayloadType('CartPayload', 'cart', CartType);

const ordered = validatedField(checkoutCartSchema, (args, ctx) => checkoutCart(ctx, args));

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const lineId = t.arg.id({ required: true, description: 'Id of the line.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  const toOrder = {
    businessId,
    version,
    input: t.arg({ type: CheckoutCartInput, required: true, description: 'How to pay.' }),
  };
  return {
    openCart: t.field({
      type: CartPayload,
      description: "Opens the viewer's cart in a business. One that is open takes over what is given.",
      authScopes: { account: true },
      args: {
        businessId,
        input: t.arg({ type: OpenCartInput, required: true, description: 'The cart.' }),
      },
      ...validatedField(openCartSchema, async (args, ctx) => ({ cart: await openCart(ctx, args) })),
    }),
    updateCart: t.field({
      type: CartPayload,
      description: "Changes the fields that are given of the viewer's cart.",
      authScopes: { account: true },
      args: {
        businessId,
        version,
        input: t.arg({ type: UpdateCartInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateCartSchema, async (args, ctx) => ({ cart: await updateCart(ctx, args) })),
    }),
    deleteCart: t.field({
      type: DeletedPayload,
      description: "Throws the viewer's cart away.",
      authScopes: { account: true },
      args: { businessId, version },
      ...validatedField(deleteCartSchema, (args, ctx) => deleteOwnCart(ctx, args)),
    }),
    addCartLine: t.field({
      type: CartPayload,
      description: "Puts something into the viewer's cart; a line that wants the same grows by it.",
      authScopes: { account: true },
      args: {
        businessId,
        version,
        input: t.arg({ type: AddCartLineInput, required: true, description: 'The line.' }),
      },
      ...validatedField(addCartLineSchema, async (args, ctx) => ({ cart: await addCartLine(ctx, args) })),
    }),
    updateCartLine: t.field({
      type: CartPayload,
      description: "Changes the pieces or the blocks of a line of the viewer's cart.",
      authScopes: { account: true },
      args: {
        businessId,
        lineId,
        version,
        input: t.arg({ type: UpdateCartLineInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateCartLineSchema, async (args, ctx) => ({
        cart: await updateCartLine(ctx, args),
      })),
    }),
    removeCartLine: t.field({
      type: CartPayload,
      description: "Takes a line out of the viewer's cart.",
      authScopes: { account: true },
      args: { businessId, lineId, version },
      ...validatedField(removeCartLineSchema, async (args, ctx) => ({
        cart: await removeCartLine(ctx, args),
      })),
    }),
    mergeCart: t.field({
      type: CartPayload,
      description:
        "Takes what the viewer had in a cart as a guest into their own, and the guest's cart away. Not for guests.",
      authScopes: (_root, args) => ({ confirmedIn: args.businessId }),
      args: {
        businessId,
        input: t.arg({ type: MergeCartInput, required: true, description: 'The guest.' }),
      },
      ...validatedField(mergeCartSchema, async (args, ctx) => ({ cart: await mergeCart(ctx, args) })),
    }),
    checkoutCart: t.field({
      type: CheckoutPayload,
      description: "Orders what is in the viewer's cart, as `checkout` does, and empties it.",
      authScopes: { account: true },
      args: toOrder,
      ...ordered,
    }),
    tryCheckoutCart: t.field({
      type: CheckoutOutcome,
      description: 'The same as `checkoutCart`; a refusal, such as for want of stock, is an answer.',
      authScopes: { account: true },
      args: toOrder,
      ...errorsAsData(ordered),
    }),
  };
});

/** GraphQL inputs of carts. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { addressInputFields, paymentMethodInputFields } from '../checkout/inputs.ts';

type CartFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const cartFields = (t: CartFields) => ({
  blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  ...addressInputFields(t),
  note: t.string({ description: 'A note to the business. An empty text takes it away.' }),
  promoCode: t.string({ description: 'Promo code, in any case. An empty text takes it away.' }),
  shippingMethodId: t.id({ description: 'How to ship. An empty text takes it away.' }),
});

export const OpenCartInput = builder.inputType('OpenCartInput', {
  description: 'A cart to be opened; one that is open takes over what is given.',
  fields: (t) => ({
    market: t.id({ required: true, description: 'Code of the market.' }),
    ...cartFields(t),
  }),
});

export const UpdateCartInput = builder.inputType('UpdateCartInput', {
  description: 'The fields to change.',
  fields: (t) => ({ market: t.id({ description: 'Code of the market.' }), ...cartFields(t) }),
});

const lineBlocks = 'What is wanted of it, such as an engraving; at most 20.';

export const AddCartLineInput = builder.inputType('AddCartLineInput', {
  description: 'Something to put into a cart. Its price is the one of the catalogue.',
  fields: (t) => ({
    productId: t.id({ required: true, description: 'Id of the product.' }),
    variantId: t.id({ required: true, description: 'Id of the variant.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
    blocks: t.field({ type: [BlockInput], description: lineBlocks }),
  }),
});

export const UpdateCartLineInput = builder.inputType('UpdateCartLineInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    quantity: t.int({ description: 'Pieces.' }),
    blocks: t.field({ type: [BlockInput], description: lineBlocks }),
  }),
});

export const MergeCartInput = builder.inputType('MergeCartInput', {
  description: 'Whose cart to take over.',
  fields: (t) => ({
    guestToken: t.string({ required: true, description: 'The access token of the guest who filled it.' }),
  }),
});

export const CheckoutCartInput = builder.inputType('CheckoutCartInput', {
  description: 'How to pay what is in the cart.',
  fields: (t) => ({
    ...paymentMethodInputFields(t),
    quote: t.string({ description: 'Id of a quote for this cart: its prices are honoured.' }),
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
    locale: t.string({
      description: 'What the customer reads, such as de-AT. Default: what Accept-Language says.',
    }),
  }),
});

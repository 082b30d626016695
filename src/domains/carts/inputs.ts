/** GraphQL inputs of cart mutations. schemas.ts validates them. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { BlockInput } from '../blocks/inputs.ts';
import {
  checkoutAddressInputFields,
  contactInputFields,
  paymentMethodInputFields,
} from '../checkout/inputs.ts';

type CartFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const cartFields = (t: CartFields) => ({
  blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  ...checkoutAddressInputFields(t),
  ...contactInputFields(t),
  marketingConsent: t.boolean({
    description:
      'Whether the customer agreed to receive advertising at `email`. Another address without it withdraws the consent. Default: false.',
  }),
  note: t.string({ description: 'Note to the business, up to 2,000 characters. An empty string clears it.' }),
  promoCode: t.string({ description: 'Promo code, case-insensitive. An empty string clears it.' }),
  shippingMethodId: t.id({ description: 'Id of the shipping method. An empty string clears it.' }),
});

export const OpenCartInput = builder.inputType('OpenCartInput', {
  description: 'Fields of a new cart; updates the existing cart when the viewer has one.',
  fields: inputFields((t) => ({ market: ['ID!', 'Code of the market.'], ...cartFields(t) })),
});

export const UpdateCartInput = builder.inputType('UpdateCartInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: (t) => ({ market: t.id({ description: 'Code of the market.' }), ...cartFields(t) }),
});

const lineBlocks = 'Options for this line, such as an engraving; at most 20.';

export const AddCartLineInput = builder.inputType('AddCartLineInput', {
  description: 'Line to add to a cart. The price comes from the catalogue.',
  fields: inputFields({
    productId: ['ID', 'Id of the product. Default: the product of the variant.'],
    variantId: ['ID', 'Id of the variant; required without `sku`.'],
    sku: ['String', 'Stock keeping unit of the variant, instead of `variantId`.'],
    quantity: ['Int!', 'Number of units.'],
    blocks: [[BlockInput], lineBlocks],
  }),
});

export const UpdateCartLineInput = builder.inputType('UpdateCartLineInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: inputFields({ quantity: ['Int', 'Number of units.'], blocks: [[BlockInput], lineBlocks] }),
});

export const MergeCartInput = builder.inputType('MergeCartInput', {
  description: 'Guest whose cart to merge.',
  fields: inputFields({ guestToken: ['String!', 'Access token of the guest.'] }),
});

export const CheckoutCartInput = builder.inputType('CheckoutCartInput', {
  description: 'Payment options for the checkout of a cart.',
  fields: inputFields((t) => ({
    ...paymentMethodInputFields(t),
    quote: ['String', 'Id of a quote for this cart; the order uses its prices.'],
    returnUrl: ['String', 'URL to redirect to after payment; must be on an allowed origin.'],
    cancelUrl: ['String', 'URL to redirect to when payment is cancelled; must be on an allowed origin.'],
    ...contactInputFields(t),
    locale: [
      'String',
      'Locale for pages and mails to the customer, such as de-AT. Default: from the header Accept-Language.',
    ],
  })),
});

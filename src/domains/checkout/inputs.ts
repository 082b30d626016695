/** GraphQL inputs of quotes and checkout. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { PaymentMethodEnum } from '../orders/graphql-enums.ts';
import { CartLineInput } from '../orders/inputs.ts';
import { PostalAddressInput } from '../shared/postal-address-graphql-types.ts';

type CartFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

export const paymentMethodInputFields = (t: CartFields) => ({
  paymentMethod: t.string({
    description:
      'CREDIT_CARD, CARD_PROVIDER, the name of the card payment provider, or FREE for a total of 0. Default: CREDIT_CARD.',
  }),
  payBy: t.field({
    type: PaymentMethodEnum,
    description: '`paymentMethod` as an enum; set only one of both.',
  }),
});

const cartFields = (t: CartFields) => ({
  market: t.id({ required: true, description: 'Code of the market.' }),
  ...paymentMethodInputFields(t),
  shippingMethodId: t.id({
    description: 'Id of the shipping method. Checkout requires one in markets that the business ships to.',
  }),
  promoCode: t.string({ description: 'Promo code, case-insensitive.' }),
});

/** An address or the id of one in the profile, not both. */
export const checkoutAddressInputFields = (t: CartFields) => ({
  shippingAddress: t.field({
    type: PostalAddressInput,
    description: 'Address that the goods are shipped to.',
  }),
  shippingAddressId: t.string({
    description: "Id of an address in the viewer's profile, instead of `shippingAddress`.",
  }),
  billingAddress: t.field({
    type: PostalAddressInput,
    description: 'Billing address. Default: the shipping address.',
  }),
  billingAddressId: t.string({
    description: "Id of an address in the viewer's profile, instead of `billingAddress`.",
  }),
});

export const contactInputFields = (t: CartFields) => ({
  email: t.string({
    description:
      'Email address for mails about the order, for customers without a confirmed account; accounts get them at their own address. An empty string clears it.',
  }),
  phone: t.string({
    description:
      'Phone number for questions about the order, in international form. An empty string clears it.',
  }),
});

export const QuoteInput = builder.inputType('QuoteInput', {
  description: 'A cart to price.',
  fields: inputFields((t) => ({
    businessId: ['ID!', 'The business.'],
    currency: ['String', 'Expected currency; rejected if the market has another one.'],
    lines: t.field({ type: [CartLineInput], required: true, description: 'Items to buy, 1 to 500.' }),
    ...cartFields(t),
  })),
});

export const CheckoutInput = builder.inputType('CheckoutInput', {
  description: 'A cart to check out.',
  fields: inputFields((t) => ({
    items: [[CartLineInput], 'Items to buy, 1 to 500. Exactly one of `lines` and `items` is required.'],
    lines: [
      [CartLineInput],
      'Items to buy, 1 to 500. Exactly one of `lines` and its deprecated name `items` is required.',
    ],
    quote: ['String', 'Id of a quote for this cart; its prices apply until it expires.'],
    blocks: [[BlockInput], 'Custom fields.'],
    ...checkoutAddressInputFields(t),
    ...contactInputFields(t),
    locale: [
      'String',
      'Locale of the customer, such as de-AT; determines the language of mails. Default: from the Accept-Language header.',
    ],
    returnUrl: ['String', 'Redirect after payment, on an allowed origin. Default: the page of the gateway.'],
    cancelUrl: [
      'String',
      'Redirect when the customer cancels, on an allowed origin. Default: the page of the gateway.',
    ],
    ...cartFields(t),
  })),
});

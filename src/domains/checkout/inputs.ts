/** GraphQL inputs of quotes and checkout. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { PaymentMethodEnum } from '../orders/enums.ts';
import { CartLineInput } from '../orders/inputs.ts';
import { PostalAddressInput } from '../shared/postal-address-types.ts';

type CartFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

export const paymentMethodInputFields = (t: CartFields) => ({
  paymentMethod: t.string({
    description: 'CREDIT_CARD, the name of the card payment provider, or FREE when the total is zero.',
  }),
  payBy: t.field({ type: PaymentMethodEnum, description: 'The same as `paymentMethod`, as an enum.' }),
});

const cartFields = (t: CartFields) => ({
  market: t.id({ required: true, description: 'Code of the market.' }),
  ...paymentMethodInputFields(t),
  shippingMethodId: t.id({ description: 'How to ship.' }),
  promoCode: t.string({ description: 'Promo code, in any case.' }),
});

/** One is sent or chosen, not both. */
export const addressInputFields = (t: CartFields) => ({
  shippingAddress: t.field({ type: PostalAddressInput, description: 'Where it goes.' }),
  shippingAddressId: t.string({ description: 'An address of the own profile instead, by its id.' }),
  billingAddress: t.field({
    type: PostalAddressInput,
    description: 'Who is billed. Absent: the same as where it goes.',
  }),
  billingAddressId: t.string({ description: 'An address of the own profile instead, by its id.' }),
});

export const QuoteInput = builder.inputType('QuoteInput', {
  description: 'A cart to be priced.',
  fields: (t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
    currency: t.string({ description: 'Must be the currency of the market, when given.' }),
    lines: t.field({ type: [CartLineInput], required: true, description: 'What to buy.' }),
    ...cartFields(t),
  }),
});

export const CheckoutInput = builder.inputType('CheckoutInput', {
  description: 'A cart to be ordered.',
  fields: (t) => ({
    items: t.field({ type: [CartLineInput], description: 'What to buy.' }),
    lines: t.field({ type: [CartLineInput], description: 'Instead of `items`, named as in a quote.' }),
    quote: t.string({ description: 'Id of a quote for this cart: its prices are honoured.' }),
    blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
    ...addressInputFields(t),
    locale: t.string({
      description: 'What the customer reads, such as de-AT. Default: what Accept-Language says.',
    }),
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
    ...cartFields(t),
  }),
});

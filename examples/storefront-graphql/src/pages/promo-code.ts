/** Promo code form of the cart. */
import * as cart from '../cart.ts';
import { field, form } from '../lib/form.ts';

export const promoCode = ({ promoCode: code }: cart.Cart): HTMLElement =>
  form({
    label: 'Promo code',
    quiet: true,
    submit: 'Apply',
    fields: field({
      name: 'promoCode',
      label: 'Promo code',
      value: code,
      optional: true,
      autocomplete: 'off',
    }),
    async send({ promoCode = '' }) {
      await cart.change({ promoCode });
      return promoCode ? 'The code is applied.' : 'No code is applied.';
    },
  });

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
      const changed = await cart.change({ promoCode });
      // The summary shows the problem of a code that is stored but does not apply yet.
      if (changed?.problems.some((problem) => problem.field === 'promoCode')) return undefined;
      return promoCode ? 'The code is applied.' : 'No code is applied.';
    },
  });

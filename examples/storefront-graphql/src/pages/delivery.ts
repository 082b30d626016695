/** Delivery form of the cart. Its button "Check out" saves the address, places the order and opens the payment page. */
import * as cart from '../cart.ts';
import { isMember } from '../gateway.ts';
import type { PlacePartsFragment } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';
import { formatAddress, money } from '../lib/format.ts';
import { go } from '../lib/router.ts';
import { addressFields, fromProfileAddress, toPostalAddress } from '../parts/address.ts';

function methodChoices({ currency, shippingOptions }: cart.Cart): Child {
  const format = (amount: number) => money(amount, currency ?? 'USD');
  const choices = shippingOptions.map(({ shippingMethodId, name, price, freeAbove, isSelected }) =>
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name: 'shippingMethodId',
        value: shippingMethodId,
        checked: isSelected,
        // Errors are ignored here: checkout sends the method again and shows them.
        change: () => void cart.change({ shippingMethodId }).catch(() => undefined),
      }),
      h('span', {}, name),
      h(
        'span',
        { class: 'soft' },
        format(price.amount),
        freeAbove ? `, free above ${format(freeAbove.amount)}` : '',
      ),
    ),
  );
  return choices.length > 0 && h('fieldset', { class: 'choices' }, h('legend', {}, 'Shipping'), choices);
}

/** Selection of a profile address, or fields for another one. */
function addressChoice(
  addresses: readonly PlacePartsFragment[],
  current: cart.Cart['shippingAddress'],
): Child {
  const addressForm = h('fieldset', { class: 'address' }, h('legend', {}, 'Address'), addressFields(current));
  if (addresses.length === 0) return addressForm;
  const options = addresses.map((address): [string, string] => [
    address.key ?? '',
    formatAddress(fromProfileAddress(address)),
  ]);
  const chooser = field({
    name: 'shippingAddressId',
    label: 'Send it to',
    optional: true,
    options: [...options, ['', 'Another address']],
  });
  const select = chooser.querySelector('select');
  const show = () => {
    addressForm.hidden = addressForm.disabled = select?.value !== '';
  };
  select?.addEventListener('change', show);
  show();
  return [chooser, addressForm];
}

export const delivery = (current: cart.Cart, addresses: readonly PlacePartsFragment[]): HTMLElement =>
  form({
    id: 'delivery',
    label: 'Delivery',
    fields: [
      methodChoices(current),
      addressChoice(addresses, current.shippingAddress),
      !isMember() &&
        field({
          name: 'email',
          label: 'Email for news about the order',
          type: 'email',
          autocomplete: 'email',
        }),
      field({ name: 'note', label: 'A note to us', value: current.note, optional: true }),
    ],
    async send({ shippingAddressId, shippingMethodId, email, note = '', ...values }) {
      await cart.change({
        note,
        ...(email ? { email } : {}),
        ...(shippingMethodId ? { shippingMethodId } : {}),
        ...(shippingAddressId ? { shippingAddressId } : { shippingAddress: toPostalAddress(values) }),
      });
      const { orderId, checkoutUrl } = await cart.buy();
      if (checkoutUrl) location.assign(checkoutUrl);
      else await go(`/order?orderId=${orderId}`);
      return 'Opening the payment page …';
    },
  });

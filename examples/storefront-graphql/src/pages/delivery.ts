/** How and where an order goes. Its button is "Check out": it keeps the address, orders, and leads to the payment. */
import * as cart from '../cart.ts';
import type { PlacePartsFragment } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';
import { inOneLine, money } from '../lib/format.ts';
import { go } from '../lib/router.ts';
import { addressFields, postalFrom, postalOf } from '../parts/address.ts';

interface Method {
  id: string;
  name: string;
  price: number;
  freeAbove?: number | null;
}

function methodChoices({ currency, shippingMethodId }: cart.Cart, methods: readonly Method[]): Child {
  const inMoney = (amount: number) => money(amount, currency ?? 'USD');
  const choices = methods.map(({ id, name, price, freeAbove }) =>
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name: 'shippingMethodId',
        value: id,
        checked: id === shippingMethodId,
        // What goes wrong is told on the way to the payment, where it is sent once more.
        change: () => void cart.change({ shippingMethodId: id }).catch(() => undefined),
      }),
      h('span', {}, name),
      h('span', { class: 'soft' }, inMoney(price), freeAbove ? `, free above ${inMoney(freeAbove)}` : ''),
    ),
  );
  return choices.length > 0 && h('fieldset', { class: 'choices' }, h('legend', {}, 'Shipping'), choices);
}

/** An address of the profile, or one that is written here. */
function addressChoice(known: readonly PlacePartsFragment[], current: cart.Cart['shippingAddress']): Child {
  const written = h('fieldset', { class: 'address' }, h('legend', {}, 'Address'), addressFields(current));
  if (known.length === 0) return written;
  const options = known.map((place): [string, string] => [place.id ?? '', inOneLine(postalFrom(place))]);
  const chooser = field({
    name: 'shippingAddressId',
    label: 'Send it to',
    optional: true,
    options: [...options, ['', 'Another address']],
  });
  const select = chooser.querySelector('select');
  const show = () => {
    written.hidden = written.disabled = select?.value !== '';
  };
  select?.addEventListener('change', show);
  show();
  return [chooser, written];
}

export const delivery = (
  current: cart.Cart,
  methods: readonly Method[],
  known: readonly PlacePartsFragment[],
): HTMLElement =>
  form({
    id: 'delivery',
    label: 'Delivery',
    fields: [
      methodChoices(current, methods),
      addressChoice(known, current.shippingAddress),
      field({ name: 'note', label: 'A note to us', value: current.note, optional: true }),
    ],
    async send({ shippingAddressId, shippingMethodId, note = '', ...values }) {
      await cart.change({
        note,
        ...(shippingMethodId ? { shippingMethodId } : {}),
        ...(shippingAddressId ? { shippingAddressId } : { shippingAddress: postalOf(values) }),
      });
      const { orderId, checkoutUrl } = await cart.buy();
      if (checkoutUrl) location.assign(checkoutUrl);
      else await go(`/order?orderId=${orderId}`);
      return 'On to the payment …';
    },
  });

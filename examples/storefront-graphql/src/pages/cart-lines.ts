/** Lines of the cart, with changes of price and availability since they were added. */
import { type Cart, remove, setQuantity } from '../cart.ts';
import { type Child, fill, h, link } from '../lib/dom.ts';
import { errorMessages } from '../lib/error-messages.ts';
import { money } from '../lib/format.ts';
import { picture } from '../parts/products.ts';

type Line = Cart['lines'][number];

const changeNotices = ({ changes, addedPrice, available }: Line, currency: string): Child[] =>
  changes.map((change) => {
    const text = {
      NOT_SOLD: 'We no longer sell this.',
      OUT_OF_STOCK: available ? `Only ${available} left.` : 'This is sold out.',
      PRICE_CHANGED: `The price has changed: it was ${money(addedPrice ?? 0, currency)}.`,
    }[change];
    return h('p', { class: 'notice' }, text);
  });

function line(item: Line, currency: string): HTMLElement {
  const { id, name, variantName, quantity, totalPrice, product } = item;
  const message = h('p', { class: 'error', role: 'status' });
  const attempt = (action: () => Promise<unknown>) => () =>
    void action().catch((error) => fill(message, errorMessages(error).join(' ')));
  const amount: HTMLInputElement = h('input', {
    type: 'number',
    id: `quantity-${id}`,
    min: 1,
    max: 999,
    value: quantity,
    'aria-label': `Quantity of ${name}`,
    change: attempt(async () => amount.reportValidity() && setQuantity(id, amount.valueAsNumber)),
  });
  return h(
    'li',
    { class: 'line' },
    picture(product?.gallery[0]?.url),
    h(
      'div',
      {},
      h('h2', {}, product ? link(`/products/${product.slug}`, name) : name),
      variantName && h('p', { class: 'soft' }, variantName),
      changeNotices(item, currency),
      message,
    ),
    amount,
    h(
      'p',
      { class: 'price' },
      totalPrice !== null && totalPrice !== undefined && money(totalPrice, currency),
    ),
    h(
      'button',
      { type: 'button', class: 'quiet', click: attempt(() => remove(id)) },
      'Remove',
      h('span', { class: 'unseen' }, ` ${name}`),
    ),
  );
}

export const lines = ({ lines: all, currency }: Cart): Child =>
  h(
    'ul',
    { class: 'lines' },
    all.map((item) => line(item, currency ?? 'USD')),
  );

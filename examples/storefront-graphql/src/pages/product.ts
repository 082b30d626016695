/** One product: its variants, and what is left of them as it changes. */
import * as cart from '../cart.ts';
import { ask, businessId, follow } from '../gateway.ts';
import { OneProductDocument, StockDocument } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import { form } from '../lib/form.ts';
import type { Page } from '../lib/router.ts';
import { isSold, isSoldOut, picture, price, stock } from '../parts/products.ts';
import { market } from '../shop-data.ts';

export const product: Page = async ({ id: slug, signal }) => {
  const code = await market();
  const { product: found } = await ask(OneProductDocument, { businessId, slug }, { signal });
  if (!found)
    return { title: 'Not found', body: [h('h1', {}, 'We do not have this'), link('/', 'See what we have')] };

  const left = new Map(found.variants.map(({ id, inventory }) => [id, inventory]));
  const sold = found.variants.filter((variant) => isSold(variant, code));
  let chosen = sold.find(({ inventory }) => !isSoldOut(inventory)) ?? sold[0];
  const cost = h('p', { class: 'price large' });
  const stocked = h('p', { class: 'stock', 'aria-live': 'polite' });
  const amount = h('input', {
    id: 'quantity',
    name: 'quantity',
    type: 'number',
    min: 1,
    max: 999,
    value: 1,
    required: true,
    'aria-describedby': 'quantity-fault',
  });
  const button = h('button', { class: 'main' }, 'Add to cart');

  function show(): void {
    const inventory = chosen && left.get(chosen.id);
    fill(cost, price(chosen, code));
    fill(stocked, inventory && stock(inventory));
    button.disabled = !inventory || isSoldOut(inventory);
  }

  const choices = sold.map((variant) =>
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name: 'variant',
        checked: variant === chosen,
        change: () => {
          chosen = variant;
          show();
        },
      }),
      h('span', {}, variant.name),
    ),
  );

  show();
  follow(StockDocument, { businessId, productId: found.id }, signal, ({ stockChanged }) => {
    left.set(stockChanged.variantId, stockChanged.inventory);
    show();
  }).catch(() => fill(stocked, h('span', { class: 'soft' }, 'Reload the page to see what is left.')));

  return {
    title: found.name,
    body: h(
      'article',
      { class: 'halves' },
      picture(found.gallery[0]?.url, false),
      h(
        'div',
        {},
        h('p', { class: 'soft' }, link(`/?category=${encodeURIComponent(found.category)}`, found.category)),
        h('h1', {}, found.name),
        h('p', {}, found.description),
        cost,
        form({
          label: 'Buy',
          fields: [
            choices.length > 0 && h('fieldset', { class: 'choices' }, h('legend', {}, 'Variant'), choices),
            stocked,
            h(
              'div',
              { class: 'field short' },
              h('label', { for: 'quantity' }, 'Quantity'),
              amount,
              h('p', { class: 'fault', id: 'quantity-fault' }),
            ),
            button,
          ],
          async send({ quantity }) {
            if (chosen) await cart.add(found.id, chosen.id, Number(quantity));
            return 'It is in your cart.';
          },
        }),
        h('p', {}, link('/cart', 'Go to your cart')),
      ),
    ),
  };
};

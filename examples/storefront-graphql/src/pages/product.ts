/** Product page with variants and live stock. */
import * as cart from '../cart.ts';
import { businessId, run, watch } from '../gateway.ts';
import { OneProductDocument, StockDocument } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import { form } from '../lib/form.ts';
import type { Page } from '../lib/router.ts';
import { isSold, isSoldOut, picture, price, stock } from '../parts/products.ts';
import { market } from '../shop-data.ts';

export const product: Page = async ({ id: slug, signal }) => {
  const code = await market();
  const { product: loadedProduct } = await run(
    OneProductDocument,
    { businessId, market: code, slug },
    { signal },
  );
  if (!loadedProduct)
    return {
      title: 'Not found',
      body: [h('h1', {}, 'We do not sell this product'), link('/', 'See what we have')],
    };

  const inventories = new Map(loadedProduct.variants.map(({ id, inventory }) => [id, inventory]));
  const soldVariants = loadedProduct.variants.filter((variant) => isSold(variant, code));
  let selected = soldVariants.find(({ inventory }) => !isSoldOut(inventory)) ?? soldVariants[0];
  const priceOutput = h('p', { class: 'price large' });
  const stockOutput = h('p', { class: 'stock', 'aria-live': 'polite' });
  const amount = h('input', {
    id: 'quantity',
    name: 'quantity',
    type: 'number',
    min: 1,
    max: 999,
    value: 1,
    required: true,
    'aria-describedby': 'quantity-error',
  });
  const button = h('button', { class: 'main' }, 'Add to cart');

  function show(): void {
    const inventory = selected && inventories.get(selected.id);
    fill(priceOutput, price(selected, code));
    fill(stockOutput, inventory && stock(inventory));
    button.disabled = !inventory || isSoldOut(inventory);
  }

  const choices = soldVariants.map((variant) =>
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name: 'variant',
        checked: variant === selected,
        change: () => {
          selected = variant;
          show();
        },
      }),
      h('span', {}, variant.name),
    ),
  );

  show();
  watch(StockDocument, { businessId, productId: loadedProduct.id }, signal, ({ stockChanged }) => {
    inventories.set(stockChanged.variantId, stockChanged.inventory);
    show();
  }).catch(() =>
    fill(stockOutput, h('span', { class: 'soft' }, 'Reload the page to see the current stock.')),
  );

  return {
    title: loadedProduct.name,
    body: h(
      'article',
      { class: 'halves' },
      picture(loadedProduct.featuredImage?.url, false),
      h(
        'div',
        {},
        h(
          'p',
          { class: 'soft' },
          link(
            `/?category=${encodeURIComponent(loadedProduct.category)}`,
            loadedProduct.categoryRecord?.name ?? loadedProduct.category,
          ),
        ),
        h('h1', {}, loadedProduct.name),
        h('p', {}, loadedProduct.description),
        priceOutput,
        form({
          label: 'Buy',
          fields: [
            choices.length > 0 && h('fieldset', { class: 'choices' }, h('legend', {}, 'Variant'), choices),
            stockOutput,
            h(
              'div',
              { class: 'field short' },
              h('label', { for: 'quantity' }, 'Quantity'),
              amount,
              h('p', { class: 'error', id: 'quantity-error' }),
            ),
            button,
          ],
          async send({ quantity }) {
            if (selected) await cart.add(loadedProduct.id, selected.id, Number(quantity));
            return 'It is in your cart.';
          },
        }),
        h('p', {}, link('/cart', 'Go to your cart')),
      ),
    ),
  };
};

/** Cart: lines, promo code and totals, and the forms that change it. */
import { businessId, locale, market } from '../config.ts';
import {
  AddLineDocument,
  type CartPartsFragment,
  ChangeCartDocument,
  ChangeLineDocument,
  MyCartDocument,
  OpenCartDocument,
  RemoveLineDocument,
} from '../generated/graphql.ts';
import { GatewayError } from '../lib/gateway.ts';
import { type Html, html } from '../lib/html.ts';
import { alert, type Page } from '../lib/page.ts';
import type { Session } from '../lib/session.ts';
import { renderProduct } from './catalogue.ts';
import { type CheckoutState, checkoutForm } from './checkout-form.ts';

const loadCart = async (session: Session): Promise<CartPartsFragment | undefined> =>
  (await session.runIfSignedIn(MyCartDocument, { businessId, locale }))?.myCart ?? undefined;

const line = ({ id, name, variantName, quantity, totalPriceMoney }: CartPartsFragment['lines'][number]) =>
  html`<tr><th scope="row">${name}<div class="soft">${variantName}</div></th>
<td><form method="post" action="/cart/change" class="row"><input type="hidden" name="lineId" value="${id}"><label class="unseen" for="quantity-${id}">Quantity of ${name}</label><input id="quantity-${id}" name="quantity" type="number" min="0" max="999" value="${quantity}" required><button>Update<span class="unseen"> ${name}</span></button></form></td>
<td class="number">${totalPriceMoney?.formatted}</td></tr>`;

export const totals = (rows: readonly (readonly [string, string | undefined])[]): Html =>
  html`<dl class="sums">${rows.map(([label, sum]) => sum !== undefined && html`<div><dt>${label}</dt><dd>${sum}</dd></div>`)}</dl>`;

/** The field of a problem of a line is `lines.` and its index. */
const problemText = (
  { lines }: CartPartsFragment,
  { field, message }: CartPartsFragment['problems'][number],
) => {
  const line = lines[Number(/^lines\.(\d+)/.exec(field)?.[1])];
  return line ? `${line.name}, ${line.variantName}: ${message}` : message;
};

/** Also renders the page after a rejected form, with its values and errors. */
export async function renderCart(session: Session, state: CheckoutState = {}) {
  const cart = await loadCart(session);
  if (!cart || cart.lines.length === 0)
    return { title: 'Cart', body: html`<h1>Your cart is empty</h1><p><a href="/">See what we have</a></p>` };
  const problems = cart.problems.filter(({ field }) => !['email', 'shippingAddress'].includes(field));
  return {
    status: state.error ? 422 : 200,
    title: 'Cart',
    body: html`<h1>Your cart</h1>${state.error && alert(...state.error)}
<table><thead><tr><th>Product</th><th>Quantity</th><th class="number">Price</th></tr></thead><tbody>${cart.lines.map(line)}</tbody></table>
<div class="halves"><section aria-label="Summary">
<form method="post" action="/cart/promo" class="row"><div class="field"><label for="promoCode">Promo code<span class="soft"> (optional)</span></label><input id="promoCode" name="promoCode" value="${cart.promoCode ?? ''}"></div><button>Apply</button></form>
${problems.map((problem) => html`<p class="note" role="status">${problemText(cart, problem)}</p>`)}
${totals([
  ['Products', cart.subtotalMoney?.formatted],
  ['Discount', cart.discountMoney?.amount ? `−${cart.discountMoney.formatted}` : undefined],
  ['Shipping', cart.shippingMoney?.formatted],
  ['Tax', cart.taxMoney?.formatted],
  ['Total', cart.totalMoney?.formatted],
])}</section>
<section aria-labelledby="delivery"><h2 id="delivery">Delivery and payment</h2>${checkoutForm(cart, state)}</section></div>`,
  };
}

export const cartPage: Page = ({ session }) => renderCart(session);

const intOf = (form: URLSearchParams, name: string) => Number.parseInt(form.get(name) ?? '', 10) || 0;

/** Shows the cart with the errors of a rejected change. */
async function changeAndShowCart(session: Session, change: () => Promise<unknown>) {
  try {
    await change();
    return { redirect: '/cart' };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.length === 0) throw error;
    return renderCart(session, { error: error.details.map(({ message }) => message) });
  }
}

/** The first shipping method is preselected, so that the total includes shipping. */
async function openCart(session: Session): Promise<void> {
  const { cart } = (await session.run(OpenCartDocument, { businessId, input: { market } })).openCart;
  const shippingMethodId = cart.shippingOptions[0]?.shippingMethodId;
  if (shippingMethodId) await session.run(ChangeCartDocument, { businessId, input: { shippingMethodId } });
}

export const addToCart: Page = async ({ session, form }) => {
  const slug = form.get('slug') ?? '';
  const cart = await loadCart(session);
  await session.start();
  try {
    if (!cart) await openCart(session);
    await session.run(AddLineDocument, {
      businessId,
      input: {
        productId: form.get('productId') ?? '',
        variantId: form.get('variantId') ?? '',
        quantity: intOf(form, 'quantity'),
      },
    });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.length === 0) throw error;
    return renderProduct(slug, { error: error.details.map(({ message }) => message) });
  }
  return { redirect: `/products/${encodeURIComponent(slug)}?added` };
};

export const changeLine: Page = ({ session, form }) => {
  const lineId = form.get('lineId') ?? '';
  return changeAndShowCart(session, () =>
    form.get('quantity')?.trim() === '0'
      ? session.run(RemoveLineDocument, { businessId, lineId })
      : session.run(ChangeLineDocument, { businessId, lineId, quantity: intOf(form, 'quantity') }),
  );
};

export const applyPromoCode: Page = ({ session, form }) => {
  const promoCode = form.get('promoCode')?.trim() ?? '';
  return changeAndShowCart(session, () =>
    session.run(ChangeCartDocument, { businessId, input: { promoCode } }),
  );
};

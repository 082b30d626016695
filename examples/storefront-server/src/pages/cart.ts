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
import { alert, type Page, type Visit } from '../lib/page.ts';
import type { Session } from '../lib/session.ts';
import { type CheckoutState, checkoutForm } from './checkout-form.ts';

export async function loadCart(session: Session): Promise<CartPartsFragment | undefined> {
  if (!session.isKnown) return undefined;
  try {
    return (await session.run(MyCartDocument, { businessId, locale })).myCart ?? undefined;
  } catch (error) {
    // The guest has expired with the cart.
    if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') return undefined;
    throw error;
  }
}

const line = ({ id, name, variantName, quantity, totalPriceMoney }: CartPartsFragment['lines'][number]) =>
  html`<tr><th scope="row">${name}<div class="soft">${variantName}</div></th>
<td><form method="post" action="/cart/change" class="row"><input type="hidden" name="lineId" value="${id}"><label class="unseen" for="quantity-${id}">Quantity of ${name}</label><input id="quantity-${id}" name="quantity" type="number" min="0" max="999" value="${quantity}"><button>Update<span class="unseen"> ${name}</span></button></form></td>
<td class="number">${totalPriceMoney?.formatted}</td></tr>`;

export const totals = (rows: readonly (readonly [string, string | undefined])[]): Html =>
  html`<dl class="sums">${rows.map(([label, sum]) => sum !== undefined && html`<div><dt>${label}</dt><dd>${sum}</dd></div>`)}</dl>`;

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
${problems.map(({ message }) => html`<p class="note" role="status">${message}</p>`)}
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

const intOf = ({ form }: Visit, name: string) => Number.parseInt(form.get(name) ?? '', 10) || 0;

export const addToCart: Page = async (visit) => {
  const { session, form } = visit;
  await session.start();
  if (!(await loadCart(session)))
    await session.run(OpenCartDocument, { businessId, input: { market, shippingMethodId: 'standard' } });
  await session.run(AddLineDocument, {
    businessId,
    input: {
      productId: form.get('productId') ?? '',
      variantId: form.get('variantId') ?? '',
      quantity: intOf(visit, 'quantity'),
    },
  });
  return { redirect: `/products/${encodeURIComponent(form.get('slug') ?? '')}?added` };
};

export const changeLine: Page = async (visit) => {
  const lineId = visit.form.get('lineId') ?? '';
  const quantity = intOf(visit, 'quantity');
  if (quantity < 1) await visit.session.run(RemoveLineDocument, { businessId, lineId });
  else await visit.session.run(ChangeLineDocument, { businessId, lineId, quantity });
  return { redirect: '/cart' };
};

export const applyPromoCode: Page = async ({ session, form }) => {
  const promoCode = form.get('promoCode')?.trim() ?? '';
  await session.run(ChangeCartDocument, { businessId, input: { promoCode } });
  return { redirect: '/cart' };
};

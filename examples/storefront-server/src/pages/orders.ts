/** Checkout, the page of an order, and the form that mails a link to an order. */
import { randomUUID } from 'node:crypto';
import { businessId, locale, origin } from '../config.ts';
import {
  BuyDocument,
  ChangeCartDocument,
  LinkedOrderDocument,
  OrderPageDocument,
  PayOrderDocument,
  SendOrderLinkDocument,
} from '../generated/graphql.ts';
import { type ErrorDetail, GatewayError } from '../lib/gateway.ts';
import { html } from '../lib/html.ts';
import { alert, field, notFound, type Page } from '../lib/page.ts';
import { renderCart, totals } from './cart.ts';
import { checkedFields } from './checkout-form.ts';

const backUrl = `${origin}/order`;

export const checkout: Page = async ({ session, form }) => {
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const address = { name: text('name'), line1: text('line1'), city: text('city'), country: text('country') };
  const optional = Object.entries({ region: text('region'), postalCode: text('postalCode') });
  try {
    await session.run(ChangeCartDocument, {
      businessId,
      input: {
        email: text('email'),
        shippingMethodId: text('shippingMethodId'),
        shippingAddress: { ...address, ...Object.fromEntries(optional.filter(([, value]) => value !== '')) },
      },
    });
    const { checkoutCart } = await session.run(
      BuyDocument,
      { businessId, input: { returnUrl: backUrl, cancelUrl: backUrl, locale } },
      // A form that is sent twice, as by a double click, places one order.
      { idempotencyKey: text('attempt') || randomUUID() },
    );
    return { redirect: checkoutCart.checkoutUrl ?? `/order?orderId=${checkoutCart.orderId}` };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.length === 0) throw error;
    return renderCart(session, { values: form, ...sortErrors(error.details) });
  }
};

/** Errors of the last path segment of `field` are shown at the field of that name. */
function sortErrors(details: readonly ErrorDetail[]) {
  const nameOf = ({ field: path }: ErrorDetail) => path.split('.').at(-1) ?? '';
  const [atField, elsewhere] = [
    details.filter((detail) => checkedFields.includes(nameOf(detail))),
    details.filter((detail) => !checkedFields.includes(nameOf(detail))),
  ];
  return {
    fieldErrors: Object.fromEntries(atField.map((detail) => [nameOf(detail), detail.message])),
    error:
      elsewhere.length > 0
        ? elsewhere.map(({ message }) => message)
        : ['Please correct the marked fields of the form below.'],
  };
}

const statusTexts: Readonly<Record<string, string>> = {
  PENDING: 'We have your order, and wait for its payment.',
  PROCESSING: 'Thank you! We are packing it.',
  SHIPPED: 'It is on its way.',
  DELIVERED: 'It has arrived.',
  CANCELLED: 'It was cancelled.',
  REFUNDED: 'It was refunded.',
};

/** The page of a checkout has the id of the order, that of a mailed link a token. Only the customer can pay. */
export const orderPage: Page = async ({ session, url }) => {
  const id = url.searchParams.get('orderId') ?? '';
  const token = url.searchParams.get('token');
  const order = token
    ? (await session.run(LinkedOrderDocument, { businessId, token, locale })).orderByLink
    : (await session.runIfSignedIn(OrderPageDocument, { businessId, id, locale }))?.order;
  if (!order) return { ...(await findOrderForm()), status: 404 };
  const isUnpaid = !token && order.status === 'PENDING';
  return {
    title: `Order ${order.number}`,
    body: html`<h1>Order ${order.number}</h1>
${order.currentPaymentStatus === 'FAILED' && alert('The last payment failed. Nothing was charged.')}
<p class="large" role="status">${statusTexts[order.status]}</p>
${isUnpaid && html`<form method="post" action="/pay"><input type="hidden" name="orderId" value="${id}"><button class="main">Pay ${order.totalMoney.formatted}</button></form>`}
${order.fulfilments.map(({ carrier, trackingNumber }) => html`<p>${carrier} ${trackingNumber}</p>`)}
<table><tbody>${order.lines.map(
      ({ name, variantName, quantity, totalPriceMoney }) =>
        html`<tr><th scope="row">${quantity} × ${name}<div class="soft">${variantName}</div></th><td class="number">${totalPriceMoney.formatted}</td></tr>`,
    )}</tbody></table>${totals([['Total', order.totalMoney.formatted]])}
<p><a href="/">Back to the shop</a></p>`,
  };
};

export const pay: Page = async ({ session, form }) => {
  const input = { returnUrl: backUrl, cancelUrl: backUrl };
  const id = form.get('orderId') ?? '';
  const { createPaymentLink } = await session.run(PayOrderDocument, { businessId, id, input });
  return createPaymentLink.checkoutUrl ? { redirect: createPaymentLink.checkoutUrl } : notFound;
};

const findOrderForm = async (sentTo?: string) => ({
  title: 'Find your order',
  body: html`<h1>Find your order</h1>
${sentTo === undefined ? html`<p>We mail a link that opens the order to its email address.</p>` : html`<p class="good" role="status">If there is such an order, a link is on its way to ${sentTo}.</p>`}
<form method="post" action="/find-order">${field({ name: 'number', label: 'Order number', type: 'number' })}${field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'email' })}<button class="main">Send me a link</button></form>`,
});

export const findOrder: Page = () => findOrderForm();

/** The response is the same whether or not the order exists. */
export const sendOrderLink: Page = async ({ session, form }) => {
  const email = form.get('email')?.trim() ?? '';
  const number = Number.parseInt(form.get('number') ?? '', 10) || 0;
  await session.start();
  await session.run(SendOrderLinkDocument, { businessId, input: { email, number } });
  return findOrderForm(email);
};

/** Order page with live status, payment, shipments and returns. */
import { businessId, run, watch } from '../gateway.ts';
import {
  type OrderPartsFragment,
  type OrderStatus,
  OrderStatusDocument,
  PayOrderDocument,
} from '../generated/graphql';
import { type Child, fill, h, link } from '../lib/dom.ts';
import { errorMessages } from '../lib/error-messages.ts';
import { day, formatAddress, money } from '../lib/format.ts';
import { pathTo } from '../lib/paths.ts';
import type { Page } from '../lib/router.ts';
import { renderTotals } from './cart-summary.ts';
import { returnForm, returns } from './returns.ts';

type Order = OrderPartsFragment;

const statusTexts: Record<OrderStatus, string> = {
  PENDING: 'Awaiting your payment.',
  PROCESSING: 'Thank you! We are packing it.',
  SHIPPED: 'It is on its way.',
  DELIVERED: 'It has arrived.',
  CANCELLED: 'This order was cancelled.',
  REFUNDED: 'This order was refunded.',
};

const steps: readonly [OrderStatus, string][] = [
  ['PENDING', 'Placed'],
  ['PROCESSING', 'Paid'],
  ['SHIPPED', 'Shipped'],
  ['DELIVERED', 'Delivered'],
];

function progress({ status }: Order): Child {
  const currentStep = steps.findIndex(([step]) => step === status);
  if (currentStep < 0) return null;
  return h(
    'ol',
    { class: 'steps' },
    steps.map(([step, label], index) =>
      h(
        'li',
        { class: index <= currentStep ? 'done' : '', 'aria-current': step === status ? 'step' : undefined },
        label,
      ),
    ),
  );
}

async function pay(id: string): Promise<void> {
  const back = location.origin + pathTo('/order');
  const { createPaymentLink } = await run(
    PayOrderDocument,
    { businessId, id, input: { returnUrl: back, cancelUrl: back } },
    { idempotencyKey: true },
  );
  location.assign(createPaymentLink.checkoutUrl);
}

function payment({ id, status, amountDue, currency, currentPaymentStatus }: Order): Child {
  if (amountDue <= 0 || status !== 'PENDING') return null;
  const message = h('p', { class: 'error', role: 'status' });
  const click = () => void pay(id).catch((error) => fill(message, errorMessages(error).join(' ')));
  return [
    currentPaymentStatus === 'FAILED' && h('p', { class: 'notice' }, 'The last payment failed.'),
    h('button', { class: 'main', type: 'button', id: 'pay', click }, `Pay ${money(amountDue, currency)}`),
    message,
  ];
}

const shipments = ({ fulfilments }: Order): Child =>
  fulfilments.map(({ status, carrier, trackingNumber, trackingUrl }) =>
    h(
      'p',
      {},
      status === 'DELIVERED' ? 'Delivered' : 'Shipped',
      carrier && ` with ${carrier}`,
      trackingNumber && [
        ': ',
        trackingUrl ? h('a', { href: trackingUrl, rel: 'noreferrer' }, trackingNumber) : trackingNumber,
      ],
    ),
  );

const receipt = (order: Order): Child => [
  h('p', { class: 'soft' }, day(order.createdAt)),
  h(
    'ul',
    { class: 'receipt' },
    order.lines.map(({ name, variantName, quantity, totalPrice }) =>
      h(
        'li',
        {},
        h('span', {}, [name, variantName].filter(Boolean).join(', '), quantity > 1 && ` × ${quantity}`),
        h('span', {}, money(totalPrice, order.currency)),
      ),
    ),
  ),
  renderTotals(order),
  order.shippingAddress && h('p', { class: 'soft' }, `To ${formatAddress(order.shippingAddress)}`),
];

export const orderPage: Page = ({ url, signal }) =>
  new Promise((resolve, reject) => {
    const id = url.searchParams.get('orderId') ?? '';
    const title = h('h1', {});
    const state = h('p', { class: 'large', role: 'status' });
    const [statusPanel, receiptPanel, returnPanel] = [h('div', {}), h('div', {}), h('div', {})];
    const body = [
      title,
      h(
        'div',
        { class: 'sided wide' },
        h('section', { 'aria-label': 'Status' }, state, statusPanel, returnPanel),
        h('section', { class: 'panel', 'aria-label': 'What you ordered' }, receiptPanel),
      ),
      h('p', {}, link('/', 'Back to the shop')),
    ];
    let returnState = '';
    const show = (order: Order) => {
      title.textContent = `Order ${order.number}`;
      // Set only when it changes, because screen readers announce every update.
      const text = statusTexts[order.status];
      if (state.textContent !== text) state.textContent = text;
      fill(statusPanel, progress(order), payment(order), shipments(order));
      fill(receiptPanel, receipt(order));
      // Rendered again only when the returnable units change, so that a form which is being filled in is not reset.
      const newReturnState = JSON.stringify([
        order.lines.map((line) => line.returnableQuantity),
        order.returns,
      ]);
      if (newReturnState !== returnState) fill(returnPanel, returns(order), returnForm(order));
      returnState = newReturnState;
      resolve({ title: title.textContent, body });
    };
    watch(OrderStatusDocument, { businessId, id }, signal, ({ orderChanged }) => show(orderChanged)).catch(
      (error) => {
        reject(error);
        fill(statusPanel, h('p', { class: 'notice' }, 'Reload the page to see the current status.'));
      },
    );
  });

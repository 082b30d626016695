/** An order as it stands, live: placed, paid, shipped, delivered. Where to pay it, and how to send things back. */
import { ask, businessId, follow } from '../gateway.ts';
import {
  type OrderPartsFragment,
  type OrderStatus,
  OrderStatusDocument,
  PayOrderDocument,
} from '../generated/graphql';
import { type Child, fill, h, link } from '../lib/dom.ts';
import { day, inOneLine, money } from '../lib/format.ts';
import type { Page } from '../lib/router.ts';
import { wordsOf } from '../lib/words.ts';
import { sums } from './cart-summary.ts';
import { returnForm, returns } from './returns.ts';

type Order = OrderPartsFragment;

const told: Record<OrderStatus, string> = {
  PENDING: 'We wait for your payment.',
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
  const at = steps.findIndex(([step]) => step === status);
  if (at < 0) return null;
  return h(
    'ol',
    { class: 'steps' },
    steps.map(([step, label], index) =>
      h(
        'li',
        { class: index <= at ? 'done' : '', 'aria-current': step === status ? 'step' : undefined },
        label,
      ),
    ),
  );
}

async function pay(id: string): Promise<void> {
  const back = `${location.origin}/order`;
  const { createPaymentLink } = await ask(
    PayOrderDocument,
    { businessId, id, input: { returnUrl: back, cancelUrl: back } },
    { idempotencyKey: true },
  );
  location.assign(createPaymentLink.checkoutUrl);
}

function payment({ id, status, amountDue, currency, currentPaymentStatus }: Order): Child {
  if (amountDue <= 0 || status !== 'PENDING') return null;
  const said = h('p', { class: 'fault', role: 'status' });
  const click = () => void pay(id).catch((error) => fill(said, wordsOf(error).join(' ')));
  return [
    currentPaymentStatus === 'FAILED' && h('p', { class: 'notice' }, 'The last payment did not work.'),
    h('button', { class: 'main', type: 'button', id: 'pay', click }, `Pay ${money(amountDue, currency)}`),
    said,
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
  sums(order),
  order.shippingAddress && h('p', { class: 'soft' }, `To ${inOneLine(order.shippingAddress)}`),
];

export const orderPage: Page = ({ url, signal }) =>
  new Promise((done, failed) => {
    const id = url.searchParams.get('orderId') ?? '';
    const title = h('h1', {});
    const state = h('p', { class: 'large', role: 'status' });
    const [stand, rest, sending] = [h('div', {}), h('div', {}), h('div', {})];
    const body = [
      title,
      h(
        'div',
        { class: 'sided wide' },
        h('section', { 'aria-label': 'Where it is' }, state, stand, sending),
        h('section', { class: 'panel', 'aria-label': 'What you ordered' }, rest),
      ),
      h('p', {}, link('/', 'Back to the shop')),
    ];
    let returnable = '';
    const show = (order: Order) => {
      title.textContent = `Order ${order.number}`;
      // Said only when it is new: a status that is said twice is read out twice.
      if (state.textContent !== told[order.status]) state.textContent = told[order.status];
      fill(stand, progress(order), payment(order), shipments(order));
      fill(rest, receipt(order));
      // Drawn again only when there is something else to choose: somebody may be filling it in.
      const now = JSON.stringify([order.lines.map((line) => line.returnableQuantity), order.returns]);
      if (now !== returnable) fill(sending, returns(order), returnForm(order));
      returnable = now;
      done({ title: title.textContent, body });
    };
    follow(OrderStatusDocument, { businessId, id }, signal, ({ orderChanged }) => show(orderChanged)).catch(
      (error) => {
        failed(error);
        fill(stand, h('p', { class: 'notice' }, 'Reload the page to see how it stands.'));
      },
    );
  });

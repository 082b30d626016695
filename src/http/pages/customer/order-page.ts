/** Page of an order link: number, status, lines, totals and shipments. No address and no contact, because links can be forwarded. */
import type { Services } from '../../../context.ts';
import { loadShopBrand } from '../../../domains/branding/find-and-update-branding.ts';
import { findOrderOfLink, orderLinkPath } from '../../../domains/orders/guests/order-links.ts';
import type { Order, OrderFulfilment } from '../../../domains/orders/model.ts';
import { currentStatus } from '../../../domains/orders/status-transitions.ts';
import { findOnServers } from '../../../find-on-servers.ts';
import { formatMoney } from '../../../lib/commerce/format-money.ts';
import type { Endpoint } from '../../endpoint-route.ts';
import { type Html, safeHtml } from '../html-template-and-page-frame.ts';
import { describeOrderStatus } from './checkout-result-pages.ts';
import { renderCardPage, renderShopLink } from './customer-page-layout.ts';

const renderExpiredLink = () =>
  renderCardPage(
    'This link does not work',
    safeHtml`<p class="alert" role="alert">It has expired, was revoked, or is incomplete.</p><p>Use the link in the most recent mail, or request a new one in the shop.</p>`,
    { status: 404 },
  );

const sumRow = (label: string, sum: string) => safeHtml`<tr><td>${label}</td><td>${sum}</td></tr>`;

function renderTable(order: Order): Html {
  const money = (amount: number) => formatMoney(amount, order.currency);
  return safeHtml`<table><tbody>${order.lines.map(
    ({ name, variantName, quantity, totalPrice }) =>
      safeHtml`<tr><td>${name}${variantName !== undefined && `, ${variantName}`} <span class="quantity">× ${quantity}</span></td><td>${money(totalPrice)}</td></tr>`,
  )}${order.discount > 0 && sumRow('Discount', money(-order.discount))}${sumRow('Shipping', money(order.shipping))}${sumRow('Tax', money(order.tax))}<tr class="sum"><td>Total</td><td>${money(order.total)}</td></tr>${order.refunded > 0 && sumRow('Refunded', money(-order.refunded))}</tbody></table>`;
}

const shipmentStatuses = {
  SHIPPED: 'On its way',
  DELIVERED: 'Delivered',
} as const satisfies Record<OrderFulfilment['status'], string>;

const isWebUrl = (url: string) => /^https?:\/\//i.test(url);

function renderShipments({ fulfilments = [] }: Order): Html | false {
  if (fulfilments.length === 0) return false;
  return safeHtml`<h2>Shipments</h2><ul>${fulfilments.map(
    ({ status, carrier, trackingNumber, trackingUrl }) =>
      safeHtml`<li>${[shipmentStatuses[status], carrier, trackingNumber].filter(Boolean).join(', ')}${trackingUrl !== undefined && isWebUrl(trackingUrl) && safeHtml` <a href="${trackingUrl}" rel="noreferrer">Track</a>`}</li>`,
  )}</ul>`;
}

export const createOrderPageEndpoint = (services: Services): Endpoint => ({
  path: orderLinkPath,
  methods: ['GET'],
  async handle(request) {
    const token = new URLSearchParams(request.query).get('token') ?? '';
    const found = await findOnServers(services, (server) => findOrderOfLink(server, token));
    const page = found ? await renderOrder(found.services, found.result) : renderExpiredLink();
    page.headers['x-robots-tag'] = 'noindex';
    page.headers['referrer-policy'] = 'no-referrer';
    return page;
  },
});

async function renderOrder(services: Pick<Services, 'db' | 'config'>, order: Order) {
  const brand = await loadShopBrand(services, services.db, order.businessId);
  const [title, text] = describeOrderStatus({
    status: currentStatus(order.statuses),
    payment: currentStatus(order.paymentStatus),
  });
  return renderCardPage(
    `Order ${order.number}`,
    safeHtml`<p role="status"><strong>${title}.</strong> ${text}</p>${renderTable(order)}${renderShipments(order)}${renderShopLink(brand)}`,
    { brand },
  );
}

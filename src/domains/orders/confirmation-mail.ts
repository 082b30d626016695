/** The mail that tells a customer that their order is in. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { escapeHtml } from '../../lib/html.ts';
import { formatMoney } from '../../lib/money.ts';
import { businessName } from '../businesses/businesses.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { loadContacts } from '../users/contacts.ts';
import type { Order } from './model.ts';

/** Guests have no address, and get no mail. */
export async function queueConfirmation(
  services: Pick<Services, 'jobs' | 'config'>,
  tx: Queries,
  order: Order,
): Promise<void> {
  if (order.customerId === undefined) return;
  const customer = (await loadContacts(tx, [order.customerId])).get(order.customerId);
  if (customer?.email === undefined) return;
  const business = await businessName(tx, order.businessId);
  await queueMail(services, tx, { to: customer.email, ...confirmation(order, customer.name, business) });
}

function confirmation(order: Order, name: string, business: string) {
  const money = (amount: number) => formatMoney(amount, order.currency);
  const rows: [string, string][] = [
    ...order.lines.map((line): [string, string] => [
      `${line.quantity} × ${line.name}${line.variantName ? `, ${line.variantName}` : ''}`,
      money(line.totalPrice),
    ]),
    ...(order.discount > 0 ? [['Discount', money(-order.discount)] as [string, string]] : []),
    ['Shipping', money(order.shipping)],
    ['Tax', money(order.tax)],
    ['Total', money(order.total)],
  ];
  const greeting = name ? `Dear ${name},` : 'Hello,';
  const intro = `thank you for your order ${order.number}.`;
  const cells = rows
    .map(
      ([label, amount]) =>
        `<tr><td>${escapeHtml(label)}</td><td align="right">${escapeHtml(amount)}</td></tr>`,
    )
    .join('');
  return {
    subject: `Your order at ${business}`,
    text: `${greeting}\n\n${intro}\n\n${rows.map(([label, amount]) => `${label}: ${amount}`).join('\n')}\n\n${business}\n`,
    html: `<p>${escapeHtml(greeting)}</p><p>${escapeHtml(intro)}</p><table cellpadding="4">${cells}</table><p>${escapeHtml(business)}</p>`,
  };
}

/** Composes a mail about an order in the customer's language. Pure. */

import { formatMoney } from '../../../lib/commerce/format-money.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { languageOfLocale } from '../../../lib/text/locales.ts';
import type { MailMessage } from '../../../ports/mail.ts';
import type { PostalAddress } from '../../shared/postal-address.ts';
import type { LineUnits } from '../fulfilment/line-units.ts';
import type { Fulfilment, Order, OrderLine } from '../model.ts';
import { type OrderMailKind, orderMailTexts } from './order-mail-texts.ts';

export interface OrderMailInput {
  kind: OrderMailKind;
  order: Order;
  /** Name of the recipient; empty if unknown. */
  name: string;
  business: string;
  /** Refunded amount in minor units. */
  amount?: number | undefined;
  /** Units that the mail is about, when it is not about the whole order. */
  part?: OrderPart | undefined;
  /** Order link, for recipients without an account. */
  link?: string | undefined;
}

type OrderPart = { lines: readonly LineUnits[]; note?: string | undefined } & Partial<
  Pick<Fulfilment, 'carrier' | 'trackingNumber' | 'trackingUrl'>
>;

export function composeOrderMail({
  kind,
  order,
  amount = 0,
  part,
  link,
  ...names
}: OrderMailInput): Omit<MailMessage, 'to'> {
  // Names are user input: line breaks are removed to prevent header injection.
  const [name, business] = [toSingleLine(names.name), toSingleLine(names.business)];
  const language = languageOfLocale(order.locale);
  const texts = orderMailTexts[language];
  // Amounts are formatted in the language of the text.
  const locale = order.locale?.toLowerCase().startsWith(language) ? order.locale : 'en-US';
  const money = (sum: number) => formatMoney(sum, order.currency, locale);
  const values = { number: order.number, business, amount: money(amount) };
  const greeting = name ? texts.greeting(name) : texts.hello;
  const intro = texts.intro[kind](values);
  const rows = part ? partRows(order, part) : orderRows(order, texts.rows, money);
  const cells = rows.map(
    ([label, sum]) => `<tr><td>${escapeHtml(label)}</td><td align="right">${escapeHtml(sum)}</td></tr>`,
  );
  const table = rows.map(([label, sum]) => (sum ? `${label}: ${sum}` : label)).join('\n');
  const address = order.shippingAddress ? [texts.rows.address, ...addressLines(order.shippingAddress)] : [];
  const note = part?.note ? [toSingleLine(part.note)] : [];
  const linkLines = link === undefined ? [] : [texts.rows.link, link];
  const notes = [note, trackingLines(texts.rows, part), linkLines, address].filter(
    (lines) => lines.length > 0,
  );
  const notesHtml = notes.map((lines) => `<p>${lines.map(toHtml).join('<br>')}</p>`).join('');
  return {
    fromName: business,
    subject: texts.subject[kind](values),
    text: `${[greeting, intro, table, ...notes.map((lines) => lines.join('\n')), business].join('\n\n')}\n`,
    html: `<div lang="${language}"><p>${escapeHtml(greeting)}</p><p>${escapeHtml(intro)}</p><table cellpadding="4">${cells.join('')}</table>${notesHtml}<p>${escapeHtml(business)}</p></div>`,
  };
}

type Labels = (typeof orderMailTexts)['en']['rows'];

const itemLabel = ({ name, variantName }: OrderLine, quantity: number): string =>
  toSingleLine(`${quantity} × ${name}${variantName ? `, ${variantName}` : ''}`);

const orderRows = (order: Order, labels: Labels, money: (sum: number) => string): [string, string][] => [
  ...order.lines.map((line): [string, string] => [itemLabel(line, line.quantity), money(line.totalPrice)]),
  ...(order.discount > 0 ? [[labels.discount, money(-order.discount)] as [string, string]] : []),
  [labels.shipping, money(order.shipping)],
  [labels.tax, money(order.tax)],
  [labels.total, money(order.total)],
];

const partRows = ({ lines }: Order, part: OrderPart): [string, string][] =>
  part.lines.flatMap(({ line, quantity }): [string, string][] => {
    const orderLine = lines[line];
    return orderLine ? [[itemLabel(orderLine, quantity), '']] : [];
  });

const trackingLines = (labels: Labels, part: OrderPart = { lines: [] }): string[] => [
  ...(part.carrier ? [`${labels.carrier}: ${part.carrier}`] : []),
  ...(part.trackingNumber ? [`${labels.trackingNumber}: ${part.trackingNumber}`] : []),
  ...(part.trackingUrl ? [part.trackingUrl] : []),
];

/** Renders a line that consists of a URL as a link. */
const toHtml = (line: string): string =>
  /^https?:\/\/\S+$/i.test(line) ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line);

const addressLines = ({
  name,
  company,
  line1,
  line2,
  city,
  region,
  postalCode,
  country,
}: PostalAddress): string[] =>
  [name, company, line1, line2, [postalCode, city, region].filter(Boolean).join(' '), country]
    .map((line) => toSingleLine(line ?? ''))
    .filter(Boolean);

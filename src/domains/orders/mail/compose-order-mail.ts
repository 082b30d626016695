/** A mail about an order, in the language of its customer. Pure. */

import { formatMoney } from '../../../lib/commerce/format-money.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { languageOfLocale } from '../../../lib/text/locales.ts';
import type { MailMessage } from '../../../ports/mail.ts';
import type { PostalAddress } from '../../shared/postal-address.ts';
import type { LineUnits } from '../fulfilment/line-units.ts';
import type { Fulfilment, Order, OrderLine } from '../model.ts';
import { type OrderMailKind, orderMailTexts } from './order-mail-texts.ts';

export interface OrderMailInput {
  mail: OrderMailKind;
  order: Order;
  /** Who is written to; empty for whom we know no name. */
  name: string;
  business: string;
  /** Minor units that went back. */
  amount?: number | undefined;
  /** What the mail is about, when that is not the whole order. */
  parcel?: Parcel | undefined;
}

type Parcel = { lines: readonly LineUnits[]; note?: string | undefined } & Partial<
  Pick<Fulfilment, 'carrier' | 'trackingNumber' | 'trackingUrl'>
>;

export function composeOrderMail({
  mail,
  order,
  amount = 0,
  parcel,
  ...told
}: OrderMailInput): Omit<MailMessage, 'to'> {
  // Names are what others have chosen: none of them begins a line or a header of its own.
  const [name, business] = [toSingleLine(told.name), toSingleLine(told.business)];
  const language = languageOfLocale(order.locale);
  const texts = orderMailTexts[language];
  // Sums are written as the texts around them are.
  const locale = order.locale?.toLowerCase().startsWith(language) ? order.locale : 'en-US';
  const money = (sum: number) => formatMoney(sum, order.currency, locale);
  const said = { number: order.number, business, amount: money(amount) };
  const greeting = name ? texts.greeting(name) : texts.hello;
  const intro = texts.intro[mail](said);
  const rows = parcel ? rowsOfParcel(order, parcel) : rowsOf(order, texts.rows, money);
  const cells = rows.map(
    ([label, sum]) => `<tr><td>${escapeHtml(label)}</td><td align="right">${escapeHtml(sum)}</td></tr>`,
  );
  const table = rows.map(([label, sum]) => (sum ? `${label}: ${sum}` : label)).join('\n');
  const goesTo = order.shippingAddress ? [texts.rows.address, ...linesOf(order.shippingAddress)] : [];
  const note = parcel?.note ? [toSingleLine(parcel.note)] : [];
  const notes = [note, trackingOf(texts.rows, parcel), goesTo].filter((lines) => lines.length > 0);
  const notesHtml = notes.map((lines) => `<p>${lines.map(htmlOf).join('<br>')}</p>`).join('');
  return {
    fromName: business,
    subject: texts.subject[mail](said),
    text: `${[greeting, intro, table, ...notes.map((lines) => lines.join('\n')), business].join('\n\n')}\n`,
    html: `<div lang="${language}"><p>${escapeHtml(greeting)}</p><p>${escapeHtml(intro)}</p><table cellpadding="4">${cells.join('')}</table>${notesHtml}<p>${escapeHtml(business)}</p></div>`,
  };
}

type Labels = (typeof orderMailTexts)['en']['rows'];

const itemOf = ({ name, variantName }: OrderLine, quantity: number): string =>
  toSingleLine(`${quantity} × ${name}${variantName ? `, ${variantName}` : ''}`);

const rowsOf = (order: Order, labels: Labels, money: (sum: number) => string): [string, string][] => [
  ...order.lines.map((line): [string, string] => [itemOf(line, line.quantity), money(line.totalPrice)]),
  ...(order.discount > 0 ? [[labels.discount, money(-order.discount)] as [string, string]] : []),
  [labels.shipping, money(order.shipping)],
  [labels.tax, money(order.tax)],
  [labels.total, money(order.total)],
];

const rowsOfParcel = ({ lines }: Order, parcel: Parcel): [string, string][] =>
  parcel.lines.flatMap(({ line, quantity }): [string, string][] => {
    const sold = lines[line];
    return sold ? [[itemOf(sold, quantity), '']] : [];
  });

const trackingOf = (labels: Labels, parcel: Parcel = { lines: [] }): string[] => [
  ...(parcel.carrier ? [`${labels.carrier}: ${parcel.carrier}`] : []),
  ...(parcel.trackingNumber ? [`${labels.trackingNumber}: ${parcel.trackingNumber}`] : []),
  ...(parcel.trackingUrl ? [parcel.trackingUrl] : []),
];

/** A line that is an address as a whole is a link. */
const htmlOf = (line: string): string =>
  /^https?:\/\/\S+$/i.test(line) ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line);

const linesOf = ({
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

/** A mail about an order, in the language of its customer. Pure. */
import { escapeHtml } from '../../lib/html.ts';
import { languageOf } from '../../lib/languages.ts';
import { formatMoney } from '../../lib/money.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { MailMessage } from '../../ports/mail.ts';
import type { PostalAddress } from '../shared/postal-address.ts';
import { type OrderMail, orderTexts } from './mail-texts.ts';
import type { Order } from './model.ts';

export interface Told {
  mail: OrderMail;
  order: Order;
  /** Who is written to; empty for whom we know no name. */
  name: string;
  business: string;
  /** Minor units that went back. */
  amount?: number | undefined;
}

export function composeMail({ mail, order, amount = 0, ...told }: Told): Omit<MailMessage, 'to'> {
  // Names are what others have chosen: none of them begins a line or a header of its own.
  const [name, business] = [oneLine(told.name), oneLine(told.business)];
  const language = languageOf(order.locale);
  const texts = orderTexts[language];
  // Sums are written as the texts around them are.
  const locale = order.locale?.toLowerCase().startsWith(language) ? order.locale : 'en-US';
  const money = (sum: number) => formatMoney(sum, order.currency, locale);
  const said = { number: order.number, business, amount: money(amount) };
  const greeting = name ? texts.greeting(name) : texts.hello;
  const intro = texts.intro[mail](said);
  const rows = rowsOf(order, texts.rows, money);
  const goesTo = order.shippingAddress ? [texts.rows.address, ...linesOf(order.shippingAddress)] : [];
  const cells = rows.map(
    ([label, sum]) => `<tr><td>${escapeHtml(label)}</td><td align="right">${escapeHtml(sum)}</td></tr>`,
  );
  const address = goesTo.length > 0 ? `<p>${goesTo.map(escapeHtml).join('<br>')}</p>` : '';
  const table = rows.map(([label, sum]) => `${label}: ${sum}`).join('\n');
  return {
    fromName: business,
    subject: texts.subject[mail](said),
    text: `${[greeting, intro, table, ...(address ? [goesTo.join('\n')] : []), business].join('\n\n')}\n`,
    html: `<div lang="${language}"><p>${escapeHtml(greeting)}</p><p>${escapeHtml(intro)}</p><table cellpadding="4">${cells.join('')}</table>${address}<p>${escapeHtml(business)}</p></div>`,
  };
}

type Labels = (typeof orderTexts)['en']['rows'];

const rowsOf = (order: Order, labels: Labels, money: (sum: number) => string): [string, string][] => [
  ...order.lines.map(({ quantity, name, variantName, totalPrice }): [string, string] => [
    oneLine(`${quantity} × ${name}${variantName ? `, ${variantName}` : ''}`),
    money(totalPrice),
  ]),
  ...(order.discount > 0 ? [[labels.discount, money(-order.discount)] as [string, string]] : []),
  [labels.shipping, money(order.shipping)],
  [labels.tax, money(order.tax)],
  [labels.total, money(order.total)],
];

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
    .map((line) => oneLine(line ?? ''))
    .filter(Boolean);

/** Composes a mail about an order in the customer's language from a template. Pure. */
import { formatMoney } from '../../../lib/commerce/format-money.ts';
import { toSingleLine } from '../../../lib/text/escape-text.ts';
import { supportedLanguageOfLocale } from '../../../lib/text/locales.ts';
import type { MailMessage } from '../../../ports/mail.ts';
import { composeBrandedMail } from '../../branding/compose-branded-mail.ts';
import type { ShopBrand } from '../../branding/model.ts';
import type { LocalizedMailTemplateContent } from '../../mail-templates/model.ts';
import { buildBuiltInMailTemplate } from '../../mail-templates/rendering/built-in-templates.ts';
import type { MailTemplateKind } from '../../mail-templates/rendering/mail-kinds-and-placeholders.ts';
import { renderMailTemplate } from '../../mail-templates/rendering/render-mail-template.ts';
import type { OrderMailLine } from '../../mail-templates/rendering/render-template-nodes.ts';
import type { PostalAddress } from '../../shared/postal-address-schema-and-rules.ts';
import type { QuantityAtLineIndex } from '../fulfilment/quantities-by-line-index.ts';
import type { Order, OrderFulfilment, OrderLine } from '../model.ts';

export interface OrderMailParams {
  kind: MailTemplateKind;
  order: Order;
  /** Name of the recipient; empty if unknown. */
  name: string;
  brand: ShopBrand;
  /** Refunded amount in minor units. */
  amount?: number | undefined;
  /** Units that the mail is about, when it is not about the whole order. */
  part?: OrderPart | undefined;
  /** Link to the order. */
  link?: string | undefined;
  /** Template of the shop for this locale; the built-in one by default. */
  template?: LocalizedMailTemplateContent | undefined;
}

type OrderPart = { lines: readonly QuantityAtLineIndex[]; note?: string | undefined } & Partial<
  Pick<OrderFulfilment, 'carrier' | 'trackingNumber' | 'trackingUrl'>
>;

export function composeOrderMail({
  kind,
  order,
  name,
  brand,
  amount = 0,
  part,
  link,
  template,
}: OrderMailParams): Omit<MailMessage, 'to'> {
  const language = template?.locale ?? supportedLanguageOfLocale(order.locale);
  // Amounts are formatted in the language of the text.
  const hasLanguageOfText =
    order.locale?.toLowerCase().split('-')[0] === language.toLowerCase().split('-')[0];
  const money = (sum: number) =>
    formatMoney(sum, order.currency, hasLanguageOfText ? order.locale : (template?.locale ?? 'en-US'));
  const trackingUrl = part?.trackingUrl ?? '';
  const fields = {
    // Names are user input: line breaks are removed to prevent header injection.
    'customer.name': toSingleLine(name),
    'order.number': String(order.number),
    'order.url': link ?? '',
    'order.subtotal': money(order.lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0)),
    'order.discount': order.discount > 0 ? money(-order.discount) : '',
    'order.shipping': money(order.shipping),
    'order.tax': money(order.tax),
    'order.total': money(order.total),
    'refund.amount': money(amount),
    'return.note': toSingleLine(part?.note ?? ''),
    'tracking.carrier': toSingleLine(part?.carrier ?? ''),
    'tracking.number': toSingleLine(part?.trackingNumber ?? ''),
    'tracking.url': /^https?:\/\/\S+$/i.test(trackingUrl) ? trackingUrl : '',
    address: order.shippingAddress ? formatAddress(order.shippingAddress) : '',
  };
  const lines = part
    ? partLines(order, part)
    : order.lines.map((line) => toMailLine(line, line.quantity, money));
  const content = renderMailTemplate(template ?? buildBuiltInMailTemplate(kind, language), kind, brand, {
    fields,
    lines,
  });
  return composeBrandedMail(brand, { language, ...content });
}

const toMailLine = (
  { name, variantName, totalPrice }: OrderLine,
  quantity: number,
  money: (sum: number) => string,
): OrderMailLine => ({
  name: toSingleLine(`${name}${variantName ? `, ${variantName}` : ''}`),
  quantity: String(quantity),
  total: money(totalPrice),
});

const partLines = ({ lines }: Order, part: OrderPart): OrderMailLine[] =>
  part.lines.flatMap(({ line, quantity }) => {
    const orderLine = lines[line];
    return orderLine ? [toMailLine(orderLine, quantity, () => '')] : [];
  });

const formatAddress = ({
  name,
  company,
  line1,
  line2,
  city,
  region,
  postalCode,
  country,
}: PostalAddress): string =>
  [name, company, line1, line2, [postalCode, city, region].filter(Boolean).join(' '), country]
    .map((line) => toSingleLine(line ?? ''))
    .filter(Boolean)
    .join('\n');

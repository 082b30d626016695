/** Built-in templates of order mails, in the language of templates that shops write. Pure. */
import { supportedLanguageOfLocale } from '../../../lib/text/locales.ts';
import type { MailTemplateKind } from './mail-kinds-and-placeholders.ts';
import { orderMailTexts } from './order-mail-texts.ts';

export interface MailTemplateContent {
  subject: string;
  html: string;
  /** Plain-text part; derived from `html` by default. */
  text?: string | undefined;
}

/** Kinds about a part of the order: their lines have no prices. */
const partialKinds: ReadonlySet<MailTemplateKind> = new Set([
  'ORDER_SHIPPED',
  'RETURN_ACCEPTED',
  'RETURN_REFUSED',
]);

/** English for languages without texts. */
export function buildBuiltInMailTemplate(
  kind: MailTemplateKind,
  locale: string | undefined,
): MailTemplateContent {
  const texts = orderMailTexts[supportedLanguageOfLocale(locale)];
  const { rows } = texts;
  const sum = (label: string, name: string) => `<tr><td>${label}</td><td>{{${name}}}</td></tr>`;
  const table = partialKinds.has(kind)
    ? '<table>{{#lines}}<tr><td>{{line.quantity}} × {{line.name}}</td></tr>{{/lines}}</table>'
    : `<table>{{#lines}}<tr><td>{{line.quantity}} × {{line.name}}</td><td>{{line.total}}</td></tr>{{/lines}}
{{#order.discount}}${sum(rows.discount, 'order.discount')}{{/order.discount}}
${sum(rows.shipping, 'order.shipping')}
${sum(rows.tax, 'order.tax')}
<tr><td><strong>${rows.total}</strong></td><td><strong>{{order.total}}</strong></td></tr></table>`;
  const paragraphs = [
    `<p>{{#customer.name}}${texts.greeting}{{/customer.name}}{{^customer.name}}${texts.hello}{{/customer.name}}</p>`,
    `<p>${texts.intro[kind]}</p>`,
    table,
    ...(kind === 'RETURN_REFUSED'
      ? [`{{#return.note}}<p>${rows.reason}: {{return.note}}</p>{{/return.note}}`]
      : []),
    ...(kind === 'ORDER_SHIPPED'
      ? [
          `{{#tracking.carrier}}<p>${rows.carrier}: {{tracking.carrier}}</p>{{/tracking.carrier}}`,
          `{{#tracking.number}}<p>${rows.trackingNumber}: {{tracking.number}}</p>{{/tracking.number}}`,
          `{{#tracking.url}}<p><a href="{{tracking.url}}">${rows.track}</a></p>{{/tracking.url}}`,
        ]
      : []),
    `{{#order.url}}<p><a href="{{order.url}}">${rows.view}</a></p>{{/order.url}}`,
    `{{#address}}<p><strong>${rows.address}</strong><br>{{address}}</p>{{/address}}`,
  ];
  return { subject: texts.subject[kind], html: paragraphs.join('\n') };
}

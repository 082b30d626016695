/** Renders subject, HTML and text of a mail template. Pure. */
import { toSingleLine } from '../../../lib/text/escape-text.ts';
import type { ShopBrand } from '../../branding/model.ts';
import type { MailTemplateContent } from './built-in-templates.ts';
import type { MailTemplateKind } from './mail-kinds.ts';
import { parseTemplate } from './parse-template.ts';
import { type MailValues, renderTemplate } from './render-template.ts';

export function renderMailTemplate(
  { subject, html, text }: MailTemplateContent,
  kind: MailTemplateKind,
  brand: Pick<ShopBrand, 'name' | 'shopUrl'>,
  { fields, lines }: MailValues,
): MailTemplateContent {
  const shopFields = { 'shop.name': toSingleLine(brand.name), 'shop.url': brand.shopUrl ?? '' };
  const values = { fields: { ...fields, ...shopFields }, lines };
  return {
    subject: renderTemplate(parseTemplate(subject, kind).nodes, values, 'text'),
    html: renderTemplate(parseTemplate(html, kind).nodes, values, 'html'),
    ...(text === undefined ? {} : { text: renderTemplate(parseTemplate(text, kind).nodes, values, 'text') }),
  };
}

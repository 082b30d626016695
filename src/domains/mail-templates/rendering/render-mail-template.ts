/** Renders subject, HTML and text of a mail template. Pure. */
import { toSingleLine } from '../../../lib/text/escape-text.ts';
import type { ShopBrand } from '../../branding/model.ts';
import type { MailTemplateContent } from './built-in-templates.ts';
import type { MailTemplateKind } from './mail-kinds-and-placeholders.ts';
import { parseMailTemplate } from './parse-template.ts';
import { type MailPlaceholderValues, renderMailTemplateNodes } from './render-template-nodes.ts';

export function renderMailTemplate(
  { subject, html, text }: MailTemplateContent,
  kind: MailTemplateKind,
  brand: Pick<ShopBrand, 'name' | 'shopUrl'>,
  { fields, lines }: MailPlaceholderValues,
): MailTemplateContent {
  const shopFields = { 'shop.name': toSingleLine(brand.name), 'shop.url': brand.shopUrl ?? '' };
  const values = { fields: { ...fields, ...shopFields }, lines };
  return {
    subject: renderMailTemplateNodes(parseMailTemplate(subject, kind).nodes, values, 'text'),
    html: renderMailTemplateNodes(parseMailTemplate(html, kind).nodes, values, 'html'),
    ...(text === undefined
      ? {}
      : { text: renderMailTemplateNodes(parseMailTemplate(text, kind).nodes, values, 'text') }),
  };
}

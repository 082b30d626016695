/** Composes a mail template with sample values. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { MailMessage } from '../../../ports/mail.ts';
import { composeBrandedMail } from '../../branding/compose-branded-mail.ts';
import { loadShopBrand } from '../../branding/find-and-update-branding.ts';
import { loadMailTemplateForSending } from '../find-mail-templates.ts';
import type { previewMailTemplateSchema } from '../schemas.ts';
import { applyMailTemplateDraft } from '../update-and-reset-mail-template.ts';
import { type MailTemplateKind, mailPlaceholdersOf } from './mail-kinds-and-placeholders.ts';
import { renderMailTemplate } from './render-mail-template.ts';
import type { MailPlaceholderValues } from './render-template-nodes.ts';

export type MailPreviewArgs = z.output<typeof previewMailTemplateSchema>;

const sampleValues = (kind: MailTemplateKind): MailPlaceholderValues => ({
  fields: Object.fromEntries(mailPlaceholdersOf(kind).map(({ name, example }) => [name, example])),
  lines: [
    { name: 'House blend, 250 g', quantity: '2', total: '€28.00' },
    { name: 'Stoneware cup', quantity: '1', total: '€28.00' },
  ],
});

export async function composeSampleMail(
  ctx: Context,
  { businessId, kind, locale, input }: MailPreviewArgs,
): Promise<Omit<MailMessage, 'to'>> {
  const brand = await loadShopBrand(ctx, ctx.db, businessId);
  const { locale: textLocale, ...current } = await loadMailTemplateForSending(
    ctx.db,
    businessId,
    kind,
    locale,
    brand.defaultLocale,
  );
  const content = renderMailTemplate(
    applyMailTemplateDraft(current, input ?? {}),
    kind,
    brand,
    sampleValues(kind),
  );
  return composeBrandedMail(brand, { language: textLocale, ...content });
}

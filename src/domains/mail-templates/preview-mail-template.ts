/** Renders a mail template with sample values, and sends the result to the viewer. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { unauthenticatedError, validationError } from '../../errors.ts';
import { runIdempotent } from '../../idempotency.ts';
import type { MailMessage } from '../../ports/mail.ts';
import { composeBrandedMail } from '../branding/compose-branded-mail.ts';
import { loadShopBrand } from '../branding/find-and-update-branding.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { loadUserContactDetails } from '../users/people/contact-details.ts';
import { accountRateLimitRules, enforceRateLimits } from '../users/rate-limits.ts';
import { loadMailTemplate } from './find-mail-templates.ts';
import { type MailTemplateKind, mailPlaceholdersOf } from './rendering/mail-kinds-and-placeholders.ts';
import { renderMailTemplate } from './rendering/render-mail-template.ts';
import type { MailPlaceholderValues } from './rendering/render-template-nodes.ts';
import type { previewMailTemplateSchema } from './schemas.ts';
import { applyMailTemplateDraft } from './update-and-reset-mail-template.ts';

export type MailTemplatePreview = Pick<MailMessage, 'subject' | 'html' | 'text'>;
type PreviewArgs = z.output<typeof previewMailTemplateSchema>;

const sampleValues = (kind: MailTemplateKind): MailPlaceholderValues => ({
  fields: Object.fromEntries(mailPlaceholdersOf(kind).map(({ name, example }) => [name, example])),
  lines: [
    { name: 'House blend, 250 g', quantity: '2', total: '€28.00' },
    { name: 'Stoneware cup', quantity: '1', total: '€28.00' },
  ],
});

async function composeSampleMail(
  ctx: Context,
  { businessId, kind, locale, input }: PreviewArgs,
): Promise<Omit<MailMessage, 'to'>> {
  const brand = await loadShopBrand(ctx, ctx.db, businessId);
  const { locale: textLocale, ...current } = await loadMailTemplate(
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

export async function previewMailTemplate(ctx: Context, args: PreviewArgs): Promise<MailTemplatePreview> {
  const { subject, html, text } = await composeSampleMail(ctx, args);
  return { subject, html, text };
}

/** Only to the confirmed address of the viewer, so that the operation cannot send spam. */
export async function sendTestMail(ctx: Context, args: PreviewArgs): Promise<{ email: string }> {
  const userId = ctx.viewer.user?.userId;
  if (userId === undefined) throw unauthenticatedError();
  const contact = (await loadUserContactDetails(ctx.db, [userId])).get(userId);
  if (contact?.email === undefined || !contact.isConfirmed)
    throw validationError('email', 'NOT_CONFIRMED', 'Your account has no confirmed email address.');
  const { email } = contact;
  await enforceRateLimits(ctx, [accountRateLimitRules.testMailByAccount, userId]);
  const mail = await composeSampleMail(ctx, args);
  return runIdempotent(ctx, 'sendTestMail', args, async (queries) => {
    await queries.transaction((tx) =>
      queueMail(ctx, tx, { ...mail, to: email, subject: `[Test] ${mail.subject}` }),
    );
    return { email };
  });
}

/** `previewMailTemplate`: renders a mail template with sample values. */
import type { Context } from '../../context.ts';
import type { MailMessage } from '../../ports/mail.ts';
import { composeSampleMail, type MailPreviewArgs } from './rendering/compose-sample-mail.ts';

export type MailTemplatePreview = Pick<MailMessage, 'subject' | 'html' | 'text'>;
export async function previewMailTemplate(ctx: Context, args: MailPreviewArgs): Promise<MailTemplatePreview> {
  const { subject, html, text } = await composeSampleMail(ctx, args);
  return { subject, html, text };
}

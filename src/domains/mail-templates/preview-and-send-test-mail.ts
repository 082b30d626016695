/** `previewMailTemplate` and `sendTestMail`: a mail template with sample values, rendered or sent to the viewer. */
import type { Context } from '../../context.ts';
import { unauthenticatedError, validationError } from '../../errors.ts';
import { runIdempotent } from '../../idempotency.ts';
import type { MailMessage } from '../../ports/mail.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { loadUserContactDetails } from '../users/people/load-contact-details.ts';
import { accountRateLimitRules, enforceRateLimits } from '../users/rate-limits.ts';
import { composeSampleMail, type MailPreviewArgs } from './rendering/compose-sample-mail.ts';

export type MailTemplatePreview = Pick<MailMessage, 'subject' | 'html' | 'text'>;

export async function previewMailTemplate(ctx: Context, args: MailPreviewArgs): Promise<MailTemplatePreview> {
  const { subject, html, text } = await composeSampleMail(ctx, args);
  return { subject, html, text };
}

/** Only to the confirmed address of the viewer, so that the operation cannot send spam. */
export async function sendTestMail(ctx: Context, args: MailPreviewArgs): Promise<{ email: string }> {
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

/** Confirmation mail of double opt-in. It contains no text that the caller chose, so that it cannot carry spam. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredSubscription } from '../model.ts';
import { buildSubscriptionConfirmUrl, createSubscriptionConfirmToken } from './mail-tokens.ts';

/** Queues the mail in the transaction that sets PENDING_CONFIRMATION. */
export async function queueOptInMail(
  services: Pick<Services, 'jobs' | 'config' | 'keys'>,
  tx: QueryHandle,
  { id, businessId, email }: Pick<StoredSubscription, 'id' | 'businessId' | 'email'>,
  newsletterName: string,
): Promise<void> {
  const business = await loadBusinessName(tx, businessId);
  const link = buildSubscriptionConfirmUrl(
    services.config.publicUrl,
    businessId,
    createSubscriptionConfirmToken(services.keys.secret, businessId, id),
  );
  const [intro, ignore] = [
    `This email address was entered to subscribe to ${newsletterName} of ${business}. Confirm your subscription:`,
    'If you did not subscribe, ignore this mail. Without your confirmation you will receive nothing.',
  ];
  const address = escapeHtml(link);
  await queueMail(services, tx, {
    to: email,
    subject: toSingleLine(`Confirm your subscription to ${newsletterName}`, 200),
    text: `${intro}\n\n${link}\n\n${ignore}\n`,
    html: `<p>${escapeHtml(intro)}</p><p><a href="${address}">${address}</a></p><p>${escapeHtml(ignore)}</p>`,
  });
}

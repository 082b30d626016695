/** Mails that ask the owner of an address to confirm a subscription or to return to one. They contain no text that the caller chose, so that they cannot carry spam. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredSubscription } from '../model.ts';
import {
  buildResubscribeUrl,
  buildSubscriptionConfirmUrl,
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from './mail-tokens.ts';

type MailServices = Pick<Services, 'jobs' | 'config' | 'keys'>;
type Recipient = Pick<StoredSubscription, 'id' | 'businessId' | 'email'>;

/** Queues the confirmation mail of double opt-in, in the transaction that sets PENDING_CONFIRMATION. */
export async function queueOptInMail(
  services: MailServices,
  tx: QueryHandle,
  recipient: Recipient,
  newsletterName: string,
): Promise<void> {
  const { id, businessId } = recipient;
  await queueLinkMail(services, tx, recipient, {
    newsletterName,
    subject: 'Confirm your subscription to',
    action: 'Confirm your subscription:',
    link: buildSubscriptionConfirmUrl(
      services.config.publicUrl,
      businessId,
      createSubscriptionConfirmToken(services.keys.secret, businessId, id),
    ),
  });
}

/** Queues a mail to a former subscriber whose address was entered again: only its link subscribes them again. */
export async function queueReturnMail(
  services: MailServices,
  tx: QueryHandle,
  recipient: Recipient,
  newsletterName: string,
): Promise<void> {
  const { id, businessId } = recipient;
  await queueLinkMail(services, tx, recipient, {
    newsletterName,
    subject: 'Subscribe again to',
    action: 'You have left it before. Subscribe again:',
    link: buildResubscribeUrl(
      services.config.publicUrl,
      businessId,
      createUnsubscribeToken(services.keys.secret, businessId, id),
    ),
  });
}

async function queueLinkMail(
  services: MailServices,
  tx: QueryHandle,
  { businessId, email }: Recipient,
  { newsletterName, subject, action, link }: Record<'newsletterName' | 'subject' | 'action' | 'link', string>,
): Promise<void> {
  const business = await loadBusinessName(tx, businessId);
  const [intro, ignore] = [
    `This email address was entered to subscribe to ${newsletterName} of ${business}. ${action}`,
    'If you did not subscribe, ignore this mail. Without your confirmation you will receive nothing.',
  ];
  const address = escapeHtml(link);
  await queueMail(services, tx, {
    to: email,
    subject: toSingleLine(`${subject} ${newsletterName}`, 200),
    text: `${intro}\n\n${link}\n\n${ignore}\n`,
    html: `<p>${escapeHtml(intro)}</p><p><a href="${address}">${address}</a></p><p>${escapeHtml(ignore)}</p>`,
  });
}

/** Mails that ask the owner of an address to confirm a subscription or to return to one. They contain no text that the caller chose, so that they cannot carry spam. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml, truncateText } from '../../../lib/text/escape-text.ts';
import { composeBrandedMail } from '../../branding/compose-branded-mail.ts';
import { loadShopBrand } from '../../branding/find-and-update-branding.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import {
  buildResubscribeUrl,
  buildSubscriptionConfirmUrl,
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from './mail-tokens.ts';

type MailServices = Pick<Services, 'jobs' | 'config' | 'keys'>;
type Recipient = Pick<StoredNewsletterSubscription, 'id' | 'businessId' | 'email'>;

/** Queues the confirmation mail of double opt-in, in the transaction that sets PENDING_CONFIRMATION. */
export async function queueSubscriptionConfirmationMail(
  services: MailServices,
  tx: QueryHandle,
  recipient: Recipient,
  newsletterName: string,
): Promise<void> {
  const { id, businessId } = recipient;
  await queueLinkMail(services, tx, recipient, {
    newsletterName,
    subject: 'Confirm your subscription to',
    action: 'One click, and you will receive it.',
    label: 'Confirm subscription',
    link: buildSubscriptionConfirmUrl(
      services.config.publicUrl,
      businessId,
      createSubscriptionConfirmToken(services.keys.secret, businessId, id),
    ),
  });
}

/** Queues a mail to a former subscriber whose address was entered again: only its link subscribes them again. */
export async function queueResubscribeMail(
  services: MailServices,
  tx: QueryHandle,
  recipient: Recipient,
  newsletterName: string,
): Promise<void> {
  const { id, businessId } = recipient;
  await queueLinkMail(services, tx, recipient, {
    newsletterName,
    subject: 'Subscribe again to',
    action: 'You unsubscribed before. One click, and you will receive it again.',
    label: 'Subscribe again',
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
  {
    newsletterName,
    subject,
    action,
    label,
    link,
  }: Record<'newsletterName' | 'subject' | 'action' | 'label' | 'link', string>,
): Promise<void> {
  const brand = await loadShopBrand(services, tx, businessId);
  const html = `<p>${escapeHtml(intro(newsletterName, brand.name))}</p><p>${escapeHtml(action)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>`;
  await queueMail(services, tx, {
    to: email,
    ...composeBrandedMail(brand, {
      language: 'en',
      subject: truncateText(`${subject} ${newsletterName}`, 200),
      html,
      footer:
        'If this was not you, you can ignore this mail: without your confirmation you will receive nothing.',
    }),
  });
}

const intro = (newsletterName: string, businessName: string) =>
  `Someone, probably you, entered this email address to receive ${newsletterName} of ${businessName}.`;

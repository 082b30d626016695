/** Mails to subscribers about a failed renewal payment and about the end of a subscription. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml, truncateText } from '../../../lib/text/escape-text.ts';
import { composeBrandedMail } from '../../branding/compose-branded-mail.ts';
import { loadShopBrand } from '../../branding/find-and-update-branding.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import { buildUnsubscribeUrl, createUnsubscribeToken } from './mail-tokens.ts';

export async function queueRenewalMail(
  services: Pick<Services, 'jobs' | 'config' | 'keys'>,
  tx: QueryHandle,
  kind: 'failed' | 'ended',
  subscription: StoredNewsletterSubscription,
): Promise<void> {
  const { id, businessId, collectionId, email, name, graceUntil = 0 } = subscription;
  const brand = await loadShopBrand(services, tx, businessId);
  const newsletterName =
    (await findCollectionWithoutVisibilityCheck(tx, businessId, collectionId))?.name ?? brand.name;
  const token = createUnsubscribeToken(services.keys.secret, businessId, id);
  const link = buildUnsubscribeUrl(services.config.publicUrl, businessId, token);
  const paragraphs = [
    name ? `Hello ${name},` : 'Hello,',
    ...(kind === 'failed'
      ? [
          `Your payment for the next period of ${newsletterName} failed.`,
          `We will retry the payment. If it does not succeed by ${toIsoDate(graceUntil)}, your subscription ends.`,
        ]
      : [`Your subscription to ${newsletterName} has ended. You will not be charged again.`]),
  ];
  const subject =
    kind === 'failed'
      ? `Your payment for ${newsletterName} failed`
      : `Your subscription to ${newsletterName} has ended`;
  const button = kind === 'failed' ? `<p><a href="${escapeHtml(link)}">Unsubscribe</a></p>` : '';
  await queueMail(services, tx, {
    to: email,
    ...composeBrandedMail(brand, {
      language: 'en',
      subject: truncateText(subject, 200),
      html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('') + button,
    }),
  });
}

const toIsoDate = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);

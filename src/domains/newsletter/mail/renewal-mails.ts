/** Mails to subscribers about a failed renewal payment and about the end of a subscription. */

import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-collection.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredSubscription } from '../model.ts';
import { buildUnsubscribeUrl, createUnsubscribeToken } from './mail-tokens.ts';

export async function queueRenewalMail(
  services: Pick<Services, 'jobs' | 'config' | 'keys'>,
  tx: QueryHandle,
  kind: 'failed' | 'ended',
  subscription: StoredSubscription,
): Promise<void> {
  const { id, businessId, collectionId, email, name, graceUntil = 0 } = subscription;
  const business = await loadBusinessName(tx, businessId);
  const newsletterName =
    (await findCollectionWithoutVisibilityCheck(tx, businessId, collectionId))?.name ?? business;
  const token = createUnsubscribeToken(services.keys.secret, businessId, id);
  const link = buildUnsubscribeUrl(services.config.publicUrl, businessId, token);
  const paragraphs = [
    name ? `Dear ${name},` : 'Hello,',
    ...(kind === 'failed'
      ? [
          `your payment for the next period of ${newsletterName} failed.`,
          `We will retry the payment. If it does not succeed by ${toIsoDate(graceUntil)}, your subscription ends.`,
          `To unsubscribe: ${link}`,
        ]
      : [`your subscription to ${newsletterName} has ended. You will not be charged again.`]),
    business,
  ];
  const subject =
    kind === 'failed'
      ? `Your payment for ${newsletterName} failed`
      : `Your subscription to ${newsletterName} has ended`;
  await queueMail(services, tx, {
    to: email,
    subject: toSingleLine(subject, 200),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${withLink(paragraph, link)}</p>`).join(''),
  });
}

const toIsoDate = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);

const withLink = (paragraph: string, link: string) => {
  const address = escapeHtml(link);
  return escapeHtml(paragraph).replace(address, () => `<a href="${address}">${address}</a>`);
};

/** The mails that tell a subscriber that a renewal has failed, and that a subscription has ended. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { escapeHtml } from '../../lib/html.ts';
import { oneLine } from '../../lib/one-line.ts';
import { businessName } from '../businesses/businesses.ts';
import { anyCollection } from '../collections/find-collection.ts';
import { queueMail } from '../shared/queue-mail.ts';
import type { StoredSubscription } from './model.ts';
import { unsubscribeToken, unsubscribeUrl } from './tokens.ts';

export async function queueRenewalMail(
  services: Pick<Services, 'jobs' | 'config' | 'keys'>,
  tx: Queries,
  kind: 'failed' | 'ended',
  subscription: StoredSubscription,
): Promise<void> {
  const { id, businessId, collectionId, email, name, graceUntil = 0 } = subscription;
  const business = await businessName(tx, businessId);
  const letter = (await anyCollection(tx, businessId, collectionId))?.name ?? business;
  const token = unsubscribeToken(services.keys.secret, businessId, id);
  const link = unsubscribeUrl(services.config.publicUrl, businessId, token);
  const paragraphs = [
    name ? `Dear ${name},` : 'Hello,',
    ...(kind === 'failed'
      ? [
          `we could not charge you for the next period of ${letter}.`,
          `The payment is tried again. If it does not work until ${dayOf(graceUntil)}, the subscription ends.`,
          `You do not want it any more? ${link}`,
        ]
      : [`your subscription to ${letter} has ended, and nothing will be charged any more.`]),
    business,
  ];
  const subject =
    kind === 'failed' ? `Your payment for ${letter} failed` : `Your subscription to ${letter} has ended`;
  await queueMail(services, tx, {
    to: email,
    subject: oneLine(subject, 200),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${withLink(paragraph, link)}</p>`).join(''),
  });
}

const dayOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);

const withLink = (paragraph: string, link: string) => {
  const address = escapeHtml(link);
  return escapeHtml(paragraph).replace(address, () => `<a href="${address}">${address}</a>`);
};

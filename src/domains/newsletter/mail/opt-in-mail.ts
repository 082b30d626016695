/** The mail that asks whether an address wants a newsletter. It says nothing that was chosen by whoever typed the address in. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { escapeHtml, toSingleLine } from '../../../lib/text/escape-text.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import type { StoredSubscription } from '../model.ts';
import { buildConfirmUrl, createConfirmToken } from './mail-tokens.ts';

/** In the transaction that lets the subscription wait for it. `letter` is the name of the newsletter. */
export async function queueOptInMail(
  services: Pick<Services, 'jobs' | 'config' | 'keys'>,
  tx: Queries,
  { id, businessId, email }: Pick<StoredSubscription, 'id' | 'businessId' | 'email'>,
  letter: string,
): Promise<void> {
  const business = await loadBusinessName(tx, businessId);
  const link = buildConfirmUrl(
    services.config.publicUrl,
    businessId,
    createConfirmToken(services.keys.secret, businessId, id),
  );
  const [asked, ignore] = [
    `Somebody asked for ${letter} of ${business} to be sent to this address. Confirm that it was you:`,
    'If it was not you, ignore this mail: without your confirmation you will get nothing.',
  ];
  const address = escapeHtml(link);
  await queueMail(services, tx, {
    to: email,
    subject: toSingleLine(`Confirm your subscription to ${letter}`, 200),
    text: `${asked}\n\n${link}\n\n${ignore}\n`,
    html: `<p>${escapeHtml(asked)}</p><p><a href="${address}">${address}</a></p><p>${escapeHtml(ignore)}</p>`,
  });
}

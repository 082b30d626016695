/** Daily quota of newsletter mails of a business that no customer has paid yet. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { isBusinessTrustedWithMail } from '../../orders/mail/business-trusted-with-mail.ts';

const daySeconds = 86_400;

/** Recipients of the sends of the last 24 hours; sends that have not started count the current subscribers. */
const mailsOfDay = `select coalesce(sum(case when n.status = 'SCHEDULED'
    then (select count(*) from subscriptions s where s.collection_id = n.collection_id and s.status = 'ACTIVE')
    else n.recipients end), 0)::int as mails
  from newsletter_sends n where n.business_id = $1 and n.created_at > $2`;

/** Call it after the insert of the send, in its transaction. The lock makes concurrent sends of a business count each other. */
export async function assertWithinDailyMailQuota(
  ctx: Context,
  tx: QueryHandle,
  businessId: string,
): Promise<void> {
  if (await isBusinessTrustedWithMail(ctx, tx, businessId)) return;
  await takeAdvisoryLock(tx, `mail-quota:${businessId}`);
  const [row] = await tx.sql<{ mails: number }>(mailsOfDay, [businessId, now() - daySeconds]);
  const limit = ctx.config.quotas.unprovenMailsPerDay;
  if ((row?.mails ?? 0) > limit)
    throw new AppError(
      'RATE_LIMITED',
      `A business that has received no payment yet can send ${limit} newsletter mails in 24 hours.`,
      { headers: { 'Retry-After': String(daySeconds) } },
    );
}

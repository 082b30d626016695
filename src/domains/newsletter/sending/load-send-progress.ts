/** Progress of a send: its recipients by state. */
import type { Services } from '../../../context.ts';

export interface NewsletterSendProgress {
  recipients: number;
  sent: number;
  failed: number;
  waiting: number;
  /** Earliest time at which a waiting recipient can be claimed, in milliseconds; 0 when none waits. */
  nextAt: number;
}

/** SQL: counts over the recipients `r` of a send. */
export const newsletterSendCountColumnsSql = `
  count(*) filter (where r.status <> 'SKIPPED')::int as recipients,
  count(*) filter (where r.status = 'SENT')::int as sent,
  count(*) filter (where r.status = 'FAILED')::int as failed`;

export async function loadNewsletterSendProgress(
  { db }: Pick<Services, 'db'>,
  sendId: string,
): Promise<NewsletterSendProgress> {
  const [row] = await db.sql<NewsletterSendProgress>(
    `select ${newsletterSendCountColumnsSql},
       count(*) filter (where r.status = 'WAITING')::int as waiting,
       coalesce(min(r.free_at) filter (where r.status = 'WAITING'), 0) as "nextAt"
     from newsletter_recipients r where r.send_id = $1`,
    [sendId],
  );
  return row ?? { recipients: 0, sent: 0, failed: 0, waiting: 0, nextAt: 0 };
}

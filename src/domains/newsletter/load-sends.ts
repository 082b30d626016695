/** The sends of entries with their numbers, for staff. */

import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { NewsletterSend } from './model.ts';
import { progressColumns } from './progress.ts';

/** In the order of the entries: null where there is no send, or none for the viewer to see. */
export async function loadSends(
  ctx: Context,
  entryIds: readonly string[],
): Promise<(NewsletterSend | null)[]> {
  const rows = await ctx.db.sql<NewsletterSend & { entryId: string }>(
    `select n.entry_id as "entryId", n.id, n.status, n.scheduled_at as "scheduledAt",
       coalesce(p.recipients, n.recipients) as recipients, coalesce(p.sent, n.sent) as sent, coalesce(p.failed, n.failed) as failed
     from newsletter_sends n
     left join lateral (
       select ${progressColumns} from newsletter_recipients r where r.send_id = n.id having n.status = 'SENDING'
     ) p on true
     where n.entry_id = any($1::uuid[]) and ${holds('n.business_id', '$2', 'CONTENT_WRITE', 'NEWSLETTER_SEND')}`,
    [entryIds, permissionHolder(ctx.viewer)],
  );
  const byEntry = new Map(rows.map((row) => [row.entryId, row]));
  return entryIds.map((id) => byEntry.get(id) ?? null);
}

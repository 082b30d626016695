/** The sends of entries with their numbers, for staff. */

import { hasPermissionSql, permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { type NewsletterSend, newsletterSends } from '../model.ts';
import { sendProgressColumns } from './send-progress.ts';

const shown = newsletterSends.selectFields('id', 'status', 'scheduledAt', 'recipients', 'sent', 'failed');

interface Numbers {
  entry_id: string;
  /** Counted while it is being sent; null otherwise. */
  so_far: Pick<NewsletterSend, 'recipients' | 'sent' | 'failed'> | null;
}

const isEditor = hasPermissionSql('n.business_id', '$2', 'CONTENT_WRITE');
const isSender = hasPermissionSql('n.business_id', '$3', 'NEWSLETTER_SEND');

/** In the order of the entries: null where there is no send, or none for the viewer to see. */
export async function loadNewsletterSends(
  ctx: Context,
  entryIds: readonly string[],
): Promise<(NewsletterSend | null)[]> {
  const rows = await ctx.db.sql<TableRow & Numbers>(
    `select n.entry_id, ${shown.columns}, case when n.status = 'SENDING' then (
       select to_json(p) from (select ${sendProgressColumns} from newsletter_recipients r where r.send_id = n.id) p
     ) end as so_far
     from ${newsletterSends.from}
     where n.entry_id = any($1::uuid[]) and (${isEditor} or ${isSender})`,
    [
      entryIds,
      permissionUserId(ctx.viewer, 'CONTENT_WRITE'),
      permissionUserId(ctx.viewer, 'NEWSLETTER_SEND'),
    ],
  );
  const byEntry = new Map(rows.map((row) => [row.entry_id, { ...shown.read(row), ...row.so_far }]));
  return entryIds.map((id) => byEntry.get(id) ?? null);
}

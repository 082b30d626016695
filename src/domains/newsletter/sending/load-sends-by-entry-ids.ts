/** Loads the newsletter sends of entries with their counts, for staff. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { type NewsletterSend, newsletterSendTable } from '../model.ts';
import { newsletterSendCountColumnsSql } from './load-send-progress.ts';

const sendColumns = newsletterSendTable.selectFields(
  'id',
  'status',
  'scheduledAt',
  'recipients',
  'sent',
  'failed',
);

interface SendCounts {
  entry_id: string;
  /** Live counts while SENDING; null otherwise, when the counts of the send are final. */
  so_far: Pick<NewsletterSend, 'recipients' | 'sent' | 'failed'> | null;
}

const isEditor = buildPermissionConditionSql('n.business_id', '$2', 'CONTENT_WRITE');
const isSender = buildPermissionConditionSql('n.business_id', '$3', 'NEWSLETTER_SEND');

/** Results in the order of `entryIds`; null where there is no send or the viewer may not see it. */
export async function loadNewsletterSendsByEntryIds(
  ctx: Context,
  entryIds: readonly string[],
): Promise<(NewsletterSend | null)[]> {
  const rows = await ctx.db.sql<UntypedRow & SendCounts>(
    `select n.entry_id, ${sendColumns.columns}, case when n.status = 'SENDING' then (
       select to_json(p) from (select ${newsletterSendCountColumnsSql} from newsletter_recipients r where r.send_id = n.id) p
     ) end as so_far
     from ${newsletterSendTable.from}
     where n.entry_id = any($1::uuid[]) and (${isEditor} or ${isSender})`,
    [
      entryIds,
      ctx.viewer.userIdForPermissionSql('CONTENT_WRITE'),
      ctx.viewer.userIdForPermissionSql('NEWSLETTER_SEND'),
    ],
  );
  const byEntry = new Map(rows.map((row) => [row.entry_id, { ...sendColumns.read(row), ...row.so_far }]));
  return entryIds.map((id) => byEntry.get(id) ?? null);
}

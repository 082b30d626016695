/** Deletes an entry. The foreign key cascades to its newsletter send, which stops one in progress. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion, type DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { buildEntryEvent } from '../build-events.ts';
import { lockEntry } from './lock-entry.ts';

export async function deleteEntry(
  ctx: Context,
  { businessId, id, version }: DeleteRecordArgs,
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, businessId, id);
    if (!entry) throw notFoundError('Entry');
    assertExpectedVersion(entry.version, version);
    await runStatementAndEmitWebhookEvents(ctx, tx, {
      statement: 'delete from entries where id = $1 returning id',
      params: [entry.id],
      businessId: entry.businessId,
      events: [buildEntryEvent('entry.deleted', entry)],
    });
    return { id: entry.id };
  });
}

/** Deletes an entry. The foreign key cascades to its newsletter send, which stops one in progress. */

import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { changeAndEmit } from '../../webhooks/emit-events.ts';
import { entryEvent } from '../events.ts';
import { lockEntry } from '../read/find-entry.ts';

export async function deleteEntry(
  ctx: Context,
  { businessId, id, version }: { businessId: string; id: string; version?: number | undefined },
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, businessId, id);
    if (!entry) throw notFoundError('Entry');
    assertVersion(entry.version, version);
    await changeAndEmit(ctx, tx, {
      statement: 'delete from entries where id = $1 returning id',
      params: [entry.id],
      businessId: entry.businessId,
      events: [entryEvent('entry.deleted', entry)],
    });
    return { id: entry.id };
  });
}

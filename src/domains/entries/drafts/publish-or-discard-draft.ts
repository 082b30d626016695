/** Ends a draft: it becomes the content of its entry, or it is thrown away. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { lockEntry } from '../read/find-entry.ts';
import { type DiscardDraftArgs, type PublishDraftArgs, updateEntrySchema } from '../schemas.ts';
import { withLockedEntry } from '../write/update-entry.ts';
import { loadDraftRow } from './load-drafts.ts';
import { type EntryDraft, isOpenDraft } from './model.ts';

/** A change like any other, after which guests see it: its checks are those of today, and all happens or nothing. */
export const publishEntryDraft = (ctx: Context, { draftVersion, ...at }: PublishDraftArgs): Promise<Entry> =>
  withLockedEntry(ctx, at, async (tx, entry, change) => {
    const { locale, blocks, version } = await draftOf(tx, entry);
    assertVersion(version, draftVersion);
    const input = { locale, blocks, status: 'PUBLISHED' as const };
    const sent = { businessId: entry.businessId, id: entry.id, input };
    const changed = await change(sent, (found) => parseInput(updateEntrySchema, sent, found));
    await endDraft(tx, entry.id);
    return changed;
  });

export const discardEntryDraft = (
  ctx: Context,
  { businessId, id, version }: DiscardDraftArgs,
): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, businessId, id);
    if (!entry) throw notFoundError('Entry');
    assertVersion((await draftOf(tx, entry)).version, version);
    await endDraft(tx, entry.id);
    return { id: entry.id };
  });

async function draftOf(tx: Queries, entry: Entry): Promise<EntryDraft> {
  const stored = await loadDraftRow(tx, entry.id);
  if (!isOpenDraft(stored)) throw notFoundError('Draft');
  return stored;
}

const endDraft = (tx: Queries, entryId: string) =>
  tx.sql('update entry_drafts set blocks = null where id = $1', [entryId]);

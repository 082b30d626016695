/** Publishes the draft of an entry or discards it. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Entry } from '../model.ts';
import { type DiscardEntryDraftArgs, type PublishEntryDraftArgs, updateEntrySchema } from '../schemas.ts';
import { lockEntry } from '../write/lock-entry.ts';
import { withLockedEntry } from '../write/update-entry.ts';
import { loadEntryDraftRow } from './load-drafts.ts';
import { type EntryDraft, isOpenDraft } from './model.ts';

/** Updates the entry and closes the draft in one transaction. The content is validated against the current schema, as in any update. */
export const publishEntryDraft = (
  ctx: Context,
  { draftVersion, ...at }: PublishEntryDraftArgs,
): Promise<Entry> =>
  withLockedEntry(ctx, at, async (tx, entry, change) => {
    const { locale, blocks, version } = await requireOpenDraft(tx, entry);
    assertExpectedVersion(version, draftVersion);
    const input = { locale, blocks, status: 'PUBLISHED' as const };
    const request = { businessId: entry.businessId, id: entry.id, input };
    const changed = await change(request, (issues) => parseInput(updateEntrySchema, request, issues));
    await closeDraft(tx, entry.id);
    return changed;
  });

export const discardEntryDraft = (
  ctx: Context,
  { businessId, id, version }: DiscardEntryDraftArgs,
): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, businessId, id);
    if (!entry) throw notFoundError('Entry');
    assertExpectedVersion((await requireOpenDraft(tx, entry)).version, version);
    await closeDraft(tx, entry.id);
    return { id: entry.id };
  });

async function requireOpenDraft(tx: QueryHandle, entry: Entry): Promise<EntryDraft> {
  const row = await loadEntryDraftRow(tx, entry.id);
  if (!isOpenDraft(row)) throw notFoundError('Draft');
  return row;
}

const closeDraft = (tx: QueryHandle, entryId: string) =>
  tx.write('update entry_drafts set blocks = null where id = $1', [entryId]);

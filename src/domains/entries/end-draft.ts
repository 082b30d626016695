/** Ends a draft: it becomes the content of its entry, or it is thrown away. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { parse } from '../../lib/input.ts';
import { expectVersion } from '../../lib/version.ts';
import { type DiscardDraft, type PublishDraft, updateEntryCheck } from './checks.ts';
import { type Draft, isDraft } from './draft-model.ts';
import { storedDraft } from './find-draft.ts';
import { lockEntry } from './find-entry.ts';
import type { Entry } from './model.ts';
import { changingEntry } from './update-entry.ts';

/** A change like any other, after which guests see it: its checks are those of today, and all happens or nothing. */
export const publishDraft = (ctx: Context, { draftVersion, ...at }: PublishDraft): Promise<Entry> =>
  changingEntry(ctx, at, async (tx, entry, change) => {
    const { locale, blocks, version } = await draftOf(tx, entry);
    expectVersion(version, draftVersion);
    const input = { locale, blocks, status: 'PUBLISHED' as const };
    const sent = { businessId: entry.businessId, id: entry.id, input };
    const changed = await change(sent, (found) => parse(updateEntryCheck, sent, found));
    await endDraft(tx, entry.id);
    return changed;
  });

export const discardDraft = (
  ctx: Context,
  { businessId, id, version }: DiscardDraft,
): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, businessId, id);
    if (!entry) throw notFound('Entry');
    expectVersion((await draftOf(tx, entry)).version, version);
    await endDraft(tx, entry.id);
    return { id: entry.id };
  });

async function draftOf(tx: Queries, entry: Entry): Promise<Draft> {
  const stored = await storedDraft(tx, entry.id);
  if (!isDraft(stored)) throw notFound('Draft');
  return stored;
}

const endDraft = (tx: Queries, entryId: string) =>
  tx.sql('update entry_drafts set blocks = null where id = $1', [entryId]);

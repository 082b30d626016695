/** Saves what staff prepare beside an entry. The entry itself, its version and what guests see of it stay as they are. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { validateEntryBlocks } from '../blocks/validate-entry-blocks.ts';
import { lockEntry } from '../read/find-entry.ts';
import type { SaveDraftArgs } from '../schemas.ts';
import { loadDraftRow } from './load-drafts.ts';
import { type EntryDraftView, entryDrafts, isOpenDraft } from './model.ts';

/** As it was sent: its blocks are checked against what the database says about the entry. */
export interface UnvalidatedDraft {
  businessId: string;
  id: string;
  input: { blocks?: readonly unknown[] | null | undefined };
  version?: number | null | undefined;
}

const statement = `${entryDrafts.insert} on conflict (id) do update set ${entryDrafts.excludedAssignments}`;

/** What is not given stays as it is in the draft, or in the entry when there is none yet. */
export const saveEntryDraft = (
  ctx: Context,
  sent: UnvalidatedDraft,
  accept: InputParser<SaveDraftArgs>,
): Promise<EntryDraftView> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, sent.businessId, sent.id);
    if (!entry) throw notFoundError('Entry');
    const stored = await loadDraftRow(tx, entry.id);
    const current = isOpenDraft(stored) ? stored : undefined;
    assertVersion(current?.version ?? 0, sent.version ?? undefined);
    const given = (sent.input.blocks as UnvalidatedBlock[] | null | undefined)?.map(toStoredBlock);
    const checked = given && (await validateEntryBlocks(ctx, tx, entry, given, { isDraft: true }));
    const { input } = accept(checked?.issues ?? []);
    const draft = {
      id: entry.id,
      locale: input.locale ?? current?.locale ?? entry.locale,
      blocks: checked?.blocks ?? current?.blocks ?? entry.blocks,
      basedOn: current?.basedOn ?? entry.version,
      version: stored ? tx.nextVersion(stored.version) : 1,
      updatedAt: now(),
    };
    await tx.sql(statement, requireRecordSize(entryDrafts.insertParams(draft)));
    return { ...draft, businessId: entry.businessId };
  });

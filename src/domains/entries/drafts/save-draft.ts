/** Creates or updates the draft of an entry. The entry, its version and its public view do not change. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content-schema-and-conversion.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { validateEntryBlocks } from '../blocks/validate-entry-blocks.ts';
import type { SaveEntryDraftArgs } from '../schemas.ts';
import { lockEntry } from '../write/lock-entry.ts';
import { loadEntryDraftRow } from './load-drafts.ts';
import { type EntryDraftInBusiness, entryDraftTable, isOpenDraft } from './model.ts';

/** Arguments before validation: the blocks are validated against the schema of the entry's owner, which is read from the database. */
export interface UnvalidatedSaveEntryDraftArgs {
  businessId: string;
  id: string;
  input: { blocks?: readonly unknown[] | null | undefined };
  version?: number | null | undefined;
}

const statement = `${entryDraftTable.insert} on conflict (id) do update set ${entryDraftTable.excludedAssignments}`;

/** Omitted fields keep the value of the existing draft, or of the entry when there is no draft. */
export const saveEntryDraft = (
  ctx: Context,
  request: UnvalidatedSaveEntryDraftArgs,
  accept: InputParser<SaveEntryDraftArgs>,
): Promise<EntryDraftInBusiness> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, request.businessId, request.id);
    if (!entry) throw notFoundError('Entry');
    const row = await loadEntryDraftRow(tx, entry.id);
    const current = isOpenDraft(row) ? row : undefined;
    assertExpectedVersion(current?.version ?? 0, request.version);
    const requestedBlocks = (request.input.blocks as UnvalidatedBlock[] | null | undefined)?.map(
      toStoredBlock,
    );
    const validated =
      requestedBlocks && (await validateEntryBlocks(ctx, tx, entry, requestedBlocks, { isDraft: true }));
    const { input } = accept(validated?.issues ?? []);
    const draft = {
      id: entry.id,
      locale: input.locale ?? current?.locale ?? entry.locale,
      blocks: validated?.blocks ?? current?.blocks ?? entry.blocks,
      basedOn: current?.basedOn ?? entry.version,
      version: row ? tx.nextVersion(row.version) : 1,
      updatedAt: now(),
    };
    await tx.write(statement, requireRecordWithinSizeLimit(entryDraftTable.insertParams(draft)));
    return { ...draft, businessId: entry.businessId };
  });

/** Updates an entry. New blocks must match the current schema of the owner. */
import type { Context } from '../../../context.ts';
import { classifyDbError, type QueryHandle } from '../../../db/index.ts';
import { AppError, notFoundError } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content-schema-and-conversion.ts';
import { listRichTextBlockIds } from '../../blocks/validate-value.ts';
import {
  appendStatusChanges,
  createStatusHistoryEntryBuilder,
  toStatusChanges,
} from '../../shared/status-history.ts';
import { validateEntryBlocks } from '../blocks/validate-entry-blocks.ts';
import { sanitizeEntryDraft } from '../drafts/sanitize-drafts-for-rich-text.ts';
import type { Entry } from '../model.ts';
import type { UpdateEntryArgs } from '../schemas.ts';
import type { UnvalidatedCreateEntryArgs } from './create-entry.ts';
import { lockEntry } from './lock-entry.ts';
import { resolveEntryOwner } from './resolve-entry-owner.ts';
import { saveEntry } from './update-entry-row.ts';

export interface UnvalidatedUpdateEntryArgs extends UnvalidatedCreateEntryArgs {
  id: string;
  version?: number | null | undefined;
}

export const updateEntry = (
  ctx: Context,
  request: UnvalidatedUpdateEntryArgs,
  accept: InputParser<UpdateEntryArgs>,
): Promise<Entry> => withLockedEntry(ctx, request, (_tx, _current, change) => change(request, accept));

type Change = (request: UnvalidatedUpdateEntryArgs, accept: InputParser<UpdateEntryArgs>) => Promise<Entry>;

/** Runs `work` in a transaction that holds the lock of the entry, after checking its expected version. */
export async function withLockedEntry(
  ctx: Context,
  address: { businessId: string; id: string; version?: number | null | undefined },
  work: (tx: QueryHandle, current: Entry, change: Change) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockEntry(tx, address.businessId, address.id);
      if (!current) throw notFoundError('Entry');
      assertExpectedVersion(current.version, address.version ?? undefined);
      return work(tx, current, async (request, accept) => {
        const changed = await applyUpdate(ctx, tx, current, request, accept);
        await saveEntry(ctx, tx, changed);
        return changed;
      });
    });
  } catch (error) {
    if (classifyDbError(error)?.kind === 'foreignKey')
      throw new AppError('CONFLICT', 'The collection was deleted by a concurrent request.');
    throw error;
  }
}

async function applyUpdate(
  ctx: Context,
  tx: QueryHandle,
  current: Entry,
  request: UnvalidatedUpdateEntryArgs,
  accept: InputParser<UpdateEntryArgs>,
): Promise<Entry> {
  const newOwner = await resolveEntryOwner(tx, current.businessId, request.input);
  const changesOwner = newOwner !== undefined && newOwner.owner !== current.owner;
  const requestedBlocks = (request.input.blocks as UnvalidatedBlock[] | null | undefined)?.map(toStoredBlock);
  // A new owner has another schema, which the stored blocks must match as well.
  const validated =
    requestedBlocks || changesOwner
      ? await validateEntryBlocks(ctx, tx, current, requestedBlocks ?? current.blocks, { owner: newOwner })
      : undefined;
  const { input } = accept(validated?.issues ?? []);
  if (changesOwner) await sanitizeEntryDraft(tx, current.id, listRichTextBlockIds(newOwner.schema));
  return {
    ...current,
    owner: newOwner?.owner ?? current.owner,
    locale: input.locale ?? current.locale,
    blocks: validated?.blocks ?? current.blocks,
    statuses: appendStatusChanges(
      current.statuses,
      toStatusChanges(input),
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: tx.nextVersion(current.version),
    updatedAt: now(),
  };
}

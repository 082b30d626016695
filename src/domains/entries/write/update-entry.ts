/** Changes the fields that were sent. Blocks that are sent follow the schema of today. */

import type { Context } from '../../../context.ts';
import { classifyDbError } from '../../../db/errors.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError, notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import type { InputParser } from '../../../lib/validation/input.ts';
import { toStoredBlock, type UnvalidatedBlock } from '../../blocks/typed-content.ts';
import { richTextBlockIds } from '../../blocks/validate-value.ts';
import { appendStatusChanges, createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { validateEntryBlocks } from '../blocks/validate-entry-blocks.ts';
import { sanitiseEntryDraft } from '../drafts/sanitise-drafts.ts';
import type { Entry } from '../model.ts';
import { lockEntry } from '../read/find-entry.ts';
import type { UpdateEntryArgs } from '../schemas.ts';
import type { UnvalidatedEntry } from './create-entry.ts';
import { resolveEntryOwner } from './resolve-owner.ts';
import { saveEntry } from './save-entry.ts';

export interface UnvalidatedEntryUpdate extends UnvalidatedEntry {
  id: string;
  version?: number | null | undefined;
}

export const updateEntry = (
  ctx: Context,
  sent: UnvalidatedEntryUpdate,
  accept: InputParser<UpdateEntryArgs>,
): Promise<Entry> => withLockedEntry(ctx, sent, (_tx, _current, change) => change(sent, accept));

type Change = (sent: UnvalidatedEntryUpdate, accept: InputParser<UpdateEntryArgs>) => Promise<Entry>;

/** Changes an entry that nobody else changes meanwhile, if it is of the expected version. */
export async function withLockedEntry(
  ctx: Context,
  at: { businessId: string; id: string; version?: number | null | undefined },
  work: (tx: Queries, current: Entry, change: Change) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockEntry(tx, at.businessId, at.id);
      if (!current) throw notFoundError('Entry');
      assertVersion(current.version, at.version ?? undefined);
      return work(tx, current, async (sent, accept) => {
        const changed = await apply(ctx, tx, current, sent, accept);
        await saveEntry(ctx, tx, changed);
        return changed;
      });
    });
  } catch (error) {
    if (classifyDbError(error)?.kind === 'foreignKey')
      throw new AppError('CONFLICT', 'The collection was deleted at the same time.');
    throw error;
  }
}

async function apply(
  ctx: Context,
  tx: Queries,
  current: Entry,
  sent: UnvalidatedEntryUpdate,
  accept: InputParser<UpdateEntryArgs>,
): Promise<Entry> {
  const named = await resolveEntryOwner(tx, current.businessId, sent.input);
  const moves = named !== undefined && named.owner !== current.owner;
  const given = (sent.input.blocks as UnvalidatedBlock[] | null | undefined)?.map(toStoredBlock);
  // Moving means following another schema, so what is stored has to pass it.
  const checked =
    given || moves
      ? await validateEntryBlocks(ctx, tx, current, given ?? current.blocks, { owner: named })
      : undefined;
  const { input } = accept(checked?.issues ?? []);
  if (moves) await sanitiseEntryDraft(tx, current.id, richTextBlockIds(named.schema));
  return {
    ...current,
    owner: named?.owner ?? current.owner,
    locale: input.locale ?? current.locale,
    blocks: checked?.blocks ?? current.blocks,
    statuses: appendStatusChanges(current.statuses, toStatusChanges(input), createStatusStamper(ctx.viewer)),
    version: tx.nextVersion(current.version),
    updatedAt: now(),
  };
}

/** Changes the fields that were sent. Blocks that are sent follow the schema of today. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, notFound } from '../../errors.ts';
import type { Accept } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { plainBlock, type SentBlock } from '../blocks/content.ts';
import { richIn } from '../blocks/values.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { checkOwned } from './check-owned.ts';
import type { UpdateEntry } from './checks.ts';
import { cleanDraft } from './clean-drafts.ts';
import type { SentEntry } from './create-entry.ts';
import { lockEntry } from './find-entry.ts';
import type { Entry } from './model.ts';
import { findOwner } from './owners.ts';
import { saveEntry } from './save-entry.ts';

export interface SentEntryChange extends SentEntry {
  id: string;
  version?: number | null | undefined;
}

export const updateEntry = (
  ctx: Context,
  sent: SentEntryChange,
  accept: Accept<UpdateEntry>,
): Promise<Entry> => changingEntry(ctx, sent, (_tx, _current, change) => change(sent, accept));

type Change = (sent: SentEntryChange, accept: Accept<UpdateEntry>) => Promise<Entry>;

/** Changes an entry that nobody else changes meanwhile, if it is of the expected version. */
export async function changingEntry(
  ctx: Context,
  at: { businessId: string; id: string; version?: number | null | undefined },
  work: (tx: Queries, current: Entry, change: Change) => Promise<Entry>,
): Promise<Entry> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockEntry(tx, at.businessId, at.id);
      if (!current) throw notFound('Entry');
      expectVersion(current.version, at.version ?? undefined);
      return work(tx, current, async (sent, accept) => {
        const changed = await apply(ctx, tx, current, sent, accept);
        await saveEntry(ctx, tx, changed);
        return changed;
      });
    });
  } catch (error) {
    if (describeDbError(error)?.kind === 'foreignKey')
      throw new AppError('CONFLICT', 'The collection was deleted at the same time.');
    throw error;
  }
}

async function apply(
  ctx: Context,
  tx: Queries,
  current: Entry,
  sent: SentEntryChange,
  accept: Accept<UpdateEntry>,
): Promise<Entry> {
  const named = await findOwner(tx, current.businessId, sent.input);
  const moves = named !== undefined && named.owner !== current.owner;
  const given = (sent.input.blocks as SentBlock[] | null | undefined)?.map(plainBlock);
  // Moving means following another schema, so what is stored has to pass it.
  const checked =
    given || moves
      ? await checkOwned(ctx, tx, current, given ?? current.blocks, { owner: named })
      : undefined;
  const { input } = accept(checked?.issues ?? []);
  if (moves) await cleanDraft(tx, current.id, richIn(named.schema));
  return {
    ...current,
    owner: named?.owner ?? current.owner,
    locale: input.locale ?? current.locale,
    blocks: checked?.blocks ?? current.blocks,
    statuses: appendStatuses(current.statuses, requestedStatuses(input), stampFor(ctx.viewer)),
    version: tx.nextVersion(current.version),
    updatedAt: now(),
  };
}

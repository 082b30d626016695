/** Changes the fields that were sent. Blocks that are sent follow the schema of today. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, notFound } from '../../errors.ts';
import type { Accept } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { plainBlock, type SentBlock } from '../blocks/content.ts';
import type { Block } from '../blocks/model.ts';
import { checkBlocks } from '../blocks/schema.ts';
import { fillMedia, namedInBlocks } from '../media/named.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import type { UpdateEntry } from './checks.ts';
import type { SentEntry } from './create-entry.ts';
import { lockEntry } from './find-entry.ts';
import type { Entry } from './model.ts';
import { findOwner } from './owners.ts';
import { saveEntry } from './save-entry.ts';
import { missingTargets } from './targets.ts';

export interface SentEntryChange extends SentEntry {
  id: string;
  version?: number | null | undefined;
}

export async function updateEntry(
  ctx: Context,
  sent: SentEntryChange,
  accept: Accept<UpdateEntry>,
): Promise<Entry> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockEntry(tx, sent.businessId, sent.id);
      if (!current) throw notFound('Entry');
      expectVersion(current.version, sent.version ?? undefined);
      const changed = await apply(ctx, tx, current, sent, accept);
      await saveEntry(ctx, tx, changed);
      return changed;
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
    given || moves ? await checkAgain(ctx, tx, current, named, given ?? current.blocks) : undefined;
  const { input } = accept(checked?.issues ?? []);
  return {
    ...current,
    owner: named?.owner ?? current.owner,
    locale: input.locale ?? current.locale,
    blocks: checked?.blocks ?? current.blocks,
    statuses: appendStatuses(current.statuses, requestedStatuses(input), stampFor(ctx.viewer)),
    version: current.version + 1,
    updatedAt: now(),
  };
}

async function checkAgain(
  ctx: Context,
  tx: Queries,
  { businessId, owner }: Entry,
  named: Awaited<ReturnType<typeof findOwner>>,
  blocks: readonly Block[],
) {
  const found = named ?? (await findOwner(tx, businessId, { owner }));
  if (!found || found.issues.length > 0) return { blocks: [], issues: found?.issues ?? [] };
  const checked = checkBlocks(found.schema, blocks);
  return {
    blocks: checked.blocks,
    issues: [
      ...checked.issues,
      ...(await missingTargets(tx, businessId, checked.blocks)),
      ...(await fillMedia(ctx, tx, businessId, namedInBlocks(checked.blocks))),
    ],
  };
}

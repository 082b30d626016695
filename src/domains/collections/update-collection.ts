/** Changes the fields that were sent. Stored entries stay readable, whatever happens to their schema. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import { notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { sanitiseEntries } from '../entries/sanitise-entries.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import type { UpdateCollection } from './checks.ts';
import { lockCollection } from './find-collection.ts';
import { type Collection, documentOf } from './model.ts';
import { expectPlansToFit, newlyRich, slugTaken } from './rules.ts';

export async function updateCollection(
  ctx: Context,
  { businessId, id, input, version }: UpdateCollection,
): Promise<Collection> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockCollection(tx, businessId, id);
      if (!current) throw notFound('Collection');
      expectVersion(current.version, version);
      const changed = apply(ctx, current, input);
      expectPlansToFit(changed);
      await tx.sql(
        `update collections set slug = $2, name = $3, type = $4, statuses = $5::jsonb, document = $6::jsonb, version = $7, updated_at = $8
         where id = $1`,
        [
          changed.id,
          changed.slug,
          changed.name,
          changed.type,
          JSON.stringify(changed.statuses),
          JSON.stringify(documentOf(changed)),
          changed.version,
          changed.updatedAt,
        ],
      );
      await sanitiseEntries(tx, changed.id, newlyRich(current.blocks, changed.blocks));
      return changed;
    });
  } catch (error) {
    const problem = describeDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('slug')) throw slugTaken();
    throw error;
  }
}

const apply = (ctx: Context, current: Collection, input: UpdateCollection['input']): Collection => ({
  ...current,
  name: input.name ?? current.name,
  slug: input.slug ?? current.slug,
  type: input.type ?? current.type,
  description: input.description ?? current.description,
  blocks: input.blocks ?? current.blocks,
  plans: input.plans ?? current.plans,
  statuses: appendStatuses(current.statuses, requestedStatuses(input), stampFor(ctx.viewer)),
  version: current.version + 1,
  updatedAt: now(),
});

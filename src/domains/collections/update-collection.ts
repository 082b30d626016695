/** Changes the fields that were sent. Stored entries stay readable, whatever happens to their schema. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import { notFound } from '../../errors.ts';
import { defined } from '../../lib/objects.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import type { UpdateCollection } from './checks.ts';
import { dependents } from './dependents.ts';
import { lockCollection } from './find-collection.ts';
import { type Collection, collections } from './model.ts';
import { expectToFit, slugTaken } from './rules.ts';

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
      expectToFit(changed);
      await tx.sql(collections.update, fitting(collections.updateParams(changed)));
      for (const { follow } of dependents) await follow?.(tx, current, changed);
      return changed;
    });
  } catch (error) {
    const problem = describeDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('slug')) throw slugTaken();
    throw error;
  }
}

function apply(ctx: Context, current: Collection, input: UpdateCollection['input']): Collection {
  const { status, statuses, ...fields } = input;
  return {
    ...current,
    ...defined(fields),
    statuses: appendStatuses(current.statuses, requestedStatuses({ status, statuses }), stampFor(ctx.viewer)),
    version: ctx.db.nextVersion(current.version),
    updatedAt: now(),
  };
}

/** Changes the fields that were sent. Stored entries stay readable, whatever happens to their schema. */

import type { Context } from '../../../context.ts';
import { classifyDbError } from '../../../db/errors.ts';
import { notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { appendStatusChanges, createStatusStamper, toStatusChanges } from '../../shared/status-history.ts';
import { type Collection, collections } from '../model.ts';
import { lockCollection } from '../read/find-collection.ts';
import { assertNewsletterFieldsAllowed, collectionSlugTakenError } from '../rules.ts';
import type { UpdateCollectionArgs } from '../schemas.ts';
import { collectionDependents } from './dependents.ts';

export async function updateCollection(
  ctx: Context,
  { businessId, id, input, version }: UpdateCollectionArgs,
): Promise<Collection> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockCollection(tx, businessId, id);
      if (!current) throw notFoundError('Collection');
      assertVersion(current.version, version);
      const changed = apply(ctx, current, input);
      assertNewsletterFieldsAllowed(changed);
      await tx.sql(collections.update, requireRecordSize(collections.updateParams(changed)));
      for (const { onCollectionUpdate: follow } of collectionDependents) await follow?.(tx, current, changed);
      return changed;
    });
  } catch (error) {
    const problem = classifyDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('slug')) throw collectionSlugTakenError();
    throw error;
  }
}

function apply(ctx: Context, current: Collection, input: UpdateCollectionArgs['input']): Collection {
  const { status, statuses, ...fields } = input;
  return {
    ...current,
    ...omitUndefined(fields),
    statuses: appendStatusChanges(
      current.statuses,
      toStatusChanges({ status, statuses }),
      createStatusStamper(ctx.viewer),
    ),
    version: ctx.db.nextVersion(current.version),
    updatedAt: now(),
  };
}

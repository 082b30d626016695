/** Updates a collection. Stored entries stay readable when the schema changes. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import {
  appendStatusChanges,
  createStatusHistoryEntryBuilder,
  toStatusChanges,
} from '../../shared/status-history.ts';
import { type Collection, collectionTable } from '../model.ts';
import { lockCollection } from '../read/find-and-lock-stored-collection.ts';
import type { UpdateCollectionArgs } from '../schemas.ts';
import { assertNewsletterFieldsOnlyOnNewsletters } from './assert-newsletter-fields-only-on-newsletters.ts';
import { toCollectionSlugTakenError } from './collection-slug-taken-error.ts';
import { collectionDependents } from './dependent-domain-registry.ts';

export async function updateCollection(
  ctx: Context,
  { businessId, id, input, version }: UpdateCollectionArgs,
): Promise<Collection> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockCollection(tx, businessId, id);
      if (!current) throw notFoundError('Collection');
      assertExpectedVersion(current.version, version);
      const changed = applyUpdate(ctx, current, input);
      assertNewsletterFieldsOnlyOnNewsletters(changed);
      await tx.write(
        collectionTable.update,
        requireRecordWithinSizeLimit(collectionTable.updateParams(changed)),
      );
      for (const { onCollectionUpdate } of collectionDependents)
        await onCollectionUpdate?.(tx, current, changed);
      return changed;
    });
  } catch (error) {
    throw toCollectionSlugTakenError(error);
  }
}

function applyUpdate(ctx: Context, current: Collection, input: UpdateCollectionArgs['input']): Collection {
  const { status, statuses, ...fields } = input;
  return {
    ...current,
    ...omitUndefined(fields),
    statuses: appendStatusChanges(
      current.statuses,
      toStatusChanges({ status, statuses }),
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: ctx.db.nextVersion(current.version),
    updatedAt: now(),
  };
}

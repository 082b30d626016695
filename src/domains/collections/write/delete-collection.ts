/** Deletes a collection; with `force` also its entries, subscribers and sends, all in one transaction. */

import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { lockCollection } from '../read/find-collection.ts';
import { collectionDependents } from './dependents.ts';

export async function deleteCollection(
  ctx: Context,
  at: { businessId: string; id: string; version?: number | undefined; force?: boolean | undefined },
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    // Whoever wants to add an entry or a subscriber needs the row too, and waits for us.
    const collection = await lockCollection(tx, at.businessId, at.id);
    if (!collection) throw notFoundError('Collection');
    assertVersion(collection.version, at.version);
    if (!at.force) {
      const checks = collectionDependents.map(
        ({ name, existsSql: existIn }) => `${existIn('$1')} as ${name}`,
      );
      const [held] = await tx.sql<Record<string, boolean>>(`select ${checks.join(', ')}`, [collection.id]);
      const kept = collectionDependents.find(({ name }) => held?.[name]);
      if (kept) throw notEmpty(kept.name);
    }
    await tx.sql('delete from collections where id = $1', [collection.id]);
    return { id: collection.id };
  });
}

const notEmpty = (what: string) =>
  validationError({
    field: 'force',
    error: 'COLLECTION_NOT_EMPTY',
    message: `The collection has ${what}. Send force=true to delete them with it.`,
  });

/** Deletes a collection; with `force` also its entries, subscribers and sends, all in one transaction. */

import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { expectVersion } from '../../lib/version.ts';
import { dependents } from './dependents.ts';
import { lockCollection } from './find-collection.ts';

export async function deleteCollection(
  ctx: Context,
  at: { businessId: string; id: string; version?: number | undefined; force?: boolean | undefined },
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    // Whoever wants to add an entry or a subscriber needs the row too, and waits for us.
    const collection = await lockCollection(tx, at.businessId, at.id);
    if (!collection) throw notFound('Collection');
    expectVersion(collection.version, at.version);
    if (!at.force) {
      const checks = dependents.map(({ name, existIn }) => `${existIn('$1')} as ${name}`);
      const [held] = await tx.sql<Record<string, boolean>>(`select ${checks.join(', ')}`, [collection.id]);
      const kept = dependents.find(({ name }) => held?.[name]);
      if (kept) throw notEmpty(kept.name);
    }
    await tx.sql('delete from collections where id = $1', [collection.id]);
    return { id: collection.id };
  });
}

const notEmpty = (what: string) =>
  invalid({
    field: 'force',
    error: 'COLLECTION_NOT_EMPTY',
    message: `The collection has ${what}. Send force=true to delete them with it.`,
  });

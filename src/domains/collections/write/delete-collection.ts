/** Deletes a collection; with `force` also its entries, subscribers and sends, all in one transaction. */
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { assertExpectedVersion, type DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { lockCollection } from '../read/find-and-lock-stored-collection.ts';
import { collectionDependents } from './dependent-domain-registry.ts';

export async function deleteCollection(ctx: Context, args: DeleteRecordArgs): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    // The row lock blocks concurrent inserts of entries and subscribers until the transaction ends.
    const collection = await lockCollection(tx, args.businessId, args.id);
    if (!collection) throw notFoundError('Collection');
    assertExpectedVersion(collection.version, args.version);
    if (!args.force) {
      const existsColumns = collectionDependents.map(
        ({ name, existsSql }) => `${existsSql('$1')} as ${name}`,
      );
      const [existsByName] = await tx.sql<Record<string, boolean>>(`select ${existsColumns.join(', ')}`, [
        collection.id,
      ]);
      const nonEmptyDependent = collectionDependents.find(({ name }) => existsByName?.[name]);
      if (nonEmptyDependent) throw notEmptyError(nonEmptyDependent.name);
    }
    const finishers: (() => Promise<void>)[] = [];
    for (const { onCollectionDelete } of collectionDependents)
      if (onCollectionDelete) finishers.push(await onCollectionDelete(ctx, tx, collection));
    await tx.write('delete from collections where id = $1', [collection.id]);
    for (const finish of finishers) await finish();
    return { id: collection.id };
  });
}

const notEmptyError = (dependentName: string) =>
  validationError(
    'force',
    'COLLECTION_NOT_EMPTY',
    `The collection has ${dependentName}. Send force=true to delete them with it.`,
  );

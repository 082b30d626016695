/** Whether the collection is there that records come from or go to: what can only fail, or find nothing, does not begin. */
import type { Queries } from '../../db/sql.ts';
import { invalid } from '../../errors.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { StartExport } from './checks.ts';

export async function expectCollection(queries: Queries, { businessId, input }: StartExport): Promise<void> {
  const { resource, collectionId } = input;
  if (resource !== 'ENTRIES' && resource !== 'SUBSCRIBERS') return;
  const field = 'collectionId';
  if (collectionId === undefined) {
    if (resource === 'ENTRIES') return;
    throw invalid({ field, error: 'REQUIRED', message: 'Say of which newsletter they are subscribers.' });
  }
  if (await anyCollection(queries, businessId, collectionId)) return;
  throw invalid({
    field,
    error: 'COLLECTION_NOT_FOUND',
    message: 'The business has no such collection.',
  });
}

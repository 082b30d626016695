/** SLUG_TAKEN error of a collection. */
import { classifyDbError } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';

export const collectionSlugTakenError = () =>
  validationError('slug', 'SLUG_TAKEN', 'Another collection of this business has this slug.');

/** Converts a violation of the unique slug; returns all other errors unchanged. */
export function toCollectionSlugTakenError(error: unknown): unknown {
  const dbError = classifyDbError(error);
  return dbError?.kind === 'unique' && dbError.constraint?.includes('slug')
    ? collectionSlugTakenError()
    : error;
}

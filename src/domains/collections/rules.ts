/** Rules about a collection as a whole. */
import { invalid } from '../../errors.ts';
import { type Collection, isNewsletter } from './model.ts';

export const slugTaken = () =>
  invalid({
    field: 'slug',
    error: 'SLUG_TAKEN',
    message: 'Another collection of this business has this slug.',
  });

export function expectPlansToFit(collection: Pick<Collection, 'type' | 'plans'>): void {
  if (collection.plans.length > 0 && !isNewsletter(collection)) {
    throw invalid({
      field: 'plans',
      error: 'NOT_A_NEWSLETTER',
      message: 'Only a collection of type NEWSLETTER has plans.',
    });
  }
}

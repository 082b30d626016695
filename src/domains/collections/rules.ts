/** Rules about a collection as a whole. */
import { invalid } from '../../errors.ts';
import type { Block } from '../blocks/model.ts';
import { isHtml } from '../blocks/values.ts';
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

/** The blocks that hold rich text now and did not before. */
export function newlyRich(before: readonly Block[], after: readonly Block[]): Set<string> {
  const rich = (blocks: readonly Block[]) =>
    blocks.filter((block) => block.type === 'TEXT' && isHtml(block)).map(({ id }) => id);
  const known = new Set(rich(before));
  return new Set(rich(after).filter((id) => !known.has(id)));
}

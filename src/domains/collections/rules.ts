/** Rules about a collection as a whole. */
import { validationError } from '../../errors.ts';
import { type Collection, isNewsletter } from './model.ts';

export const collectionSlugTakenError = () =>
  validationError({
    field: 'slug',
    error: 'SLUG_TAKEN',
    message: 'Another collection of this business has this slug.',
  });

/** What only newsletters have is refused elsewhere. */
export function assertNewsletterFieldsAllowed(
  collection: Pick<Collection, 'type' | 'plans' | 'doubleOptIn'>,
): void {
  if (isNewsletter(collection)) return;
  const faults = [
    ...(collection.plans.length > 0 ? [notANewsletter('plans', 'plans')] : []),
    ...(collection.doubleOptIn ? [notANewsletter('doubleOptIn', 'double opt-in')] : []),
  ];
  if (faults.length > 0) throw validationError(...faults);
}

const notANewsletter = (field: string, what: string) => ({
  field,
  error: 'NOT_A_NEWSLETTER' as const,
  message: `Only a collection of type NEWSLETTER has ${what}.`,
});

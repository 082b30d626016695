/** Rule: only newsletters have plans and double opt-in. */
import { validationErrorFrom } from '../../../errors.ts';
import { type Collection, isNewsletter } from '../model.ts';

/** Rejects plans and double opt-in on collections that are not newsletters. */
export function assertNewsletterFieldsOnlyOnNewsletters(
  collection: Pick<Collection, 'type' | 'plans' | 'doubleOptIn'>,
): void {
  if (isNewsletter(collection)) return;
  const issues = [
    ...(collection.plans.length > 0 ? [newsletterOnlyError('plans', 'plans')] : []),
    ...(collection.doubleOptIn ? [newsletterOnlyError('doubleOptIn', 'double opt-in')] : []),
  ];
  if (issues.length > 0) throw validationErrorFrom(issues);
}

const newsletterOnlyError = (field: string, label: string) => ({
  field,
  error: 'NOT_A_NEWSLETTER' as const,
  message: `Only a collection of type NEWSLETTER has ${label}.`,
});

/** Subscribers as lines: whoever imports them vouches for them, and nobody who is known already is changed. */
import { type ErrorDetail, notFoundError, validationError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { listSubscribers } from '../../newsletter/read/list-subscribers.ts';
import { listSubscribersSchema, subscribeSchema } from '../../newsletter/schemas.ts';
import { requirePlan, subscribeToNewsletter } from '../../newsletter/subscribe/subscribe-to-newsletter.ts';
import { hasSubscription } from '../../newsletter/subscribe/subscription-store.ts';
import {
  type BulkTarget,
  type RecordFields,
  type ResourceHandler,
  toRecordFieldsPage,
} from './resource-handler.ts';

const refuse = (field: string, error: ErrorDetail['error'], message: string) =>
  validationError({ field, error, message });

export const subscriberResourceHandler: ResourceHandler = {
  columns: {
    id: 'onlyTold',
    email: 'text',
    name: 'text',
    status: 'text',
    planId: 'text',
    market: 'text',
    createdAt: 'onlyTold',
    updatedAt: 'onlyTold',
  },
  page: (ctx, target, args) =>
    toRecordFieldsPage(
      listSubscribers(
        ctx,
        listSubscribersSchema.parse({
          businessId: target.businessId,
          collectionId: newsletterOf(target),
          ...args,
        }),
      ),
      (subscription): RecordFields => ({ ...subscription }),
    ),
  async apply({ ctx, readCtx: reading, fields: { status, ...input } }, target) {
    const sent = { businessId: target.businessId, collectionId: newsletterOf(target), input };
    const asked = parseInput(subscribeSchema, sent);
    const { businessId, collectionId: id } = asked;
    const collection = await findCollection(reading, { businessId, id });
    if (!collection) throw notFoundError('Collection');
    // Who has left stays away: only they come back by themselves.
    if (await hasSubscription(reading.db, collection.id, asked.input.email)) return;
    if (status !== undefined && status !== 'ACTIVE')
      throw refuse('status', 'INVALID_VALUE', 'Only active subscribers can be imported.');
    const plan = requirePlan(collection, asked.input.planId);
    if (plan && plan.price.amount > 0)
      throw refuse('planId', 'INVALID_VALUE', 'A plan that costs something is joined by paying for it.');
    await subscribeToNewsletter(ctx, asked, sent);
  },
};

function newsletterOf({ collectionId }: BulkTarget): string {
  if (collectionId === undefined)
    throw refuse('collectionId', 'REQUIRED', 'Say of which newsletter they are subscribers.');
  return collectionId;
}

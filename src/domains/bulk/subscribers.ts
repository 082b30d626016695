/** Subscribers as lines: whoever imports them vouches for them, and nobody who is known already is changed. */
import { type ErrorDetail, invalid, notFound } from '../../errors.ts';
import { parse } from '../../lib/input.ts';
import { findCollection } from '../collections/find-collection.ts';
import { subscribeCheck, subscriberFilterCheck } from '../newsletter/checks.ts';
import { listSubscribers } from '../newsletter/list-subscribers.ts';
import { isOnList } from '../newsletter/store.ts';
import { planOf, subscribe } from '../newsletter/subscribe.ts';
import { type Fields, pageOfLines, type Resource, type Target } from './resource.ts';

const refuse = (field: string, error: ErrorDetail['error'], message: string) =>
  invalid({ field, error, message });

export const subscribers: Resource = {
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
    pageOfLines(
      listSubscribers(
        ctx,
        subscriberFilterCheck.parse({
          businessId: target.businessId,
          collectionId: newsletterOf(target),
          ...args,
        }),
      ),
      (subscription): Fields => ({ ...subscription }),
    ),
  async apply({ ctx, reading, fields: { status, ...input } }, target) {
    const sent = { businessId: target.businessId, collectionId: newsletterOf(target), input };
    const asked = parse(subscribeCheck, sent);
    const { businessId, collectionId: id } = asked;
    const collection = await findCollection(reading, { businessId, id });
    if (!collection) throw notFound('Collection');
    // Who has left stays away: only they come back by themselves.
    if (await isOnList(reading.db, collection.id, asked.input.email)) return;
    if (status !== undefined && status !== 'ACTIVE')
      throw refuse('status', 'INVALID_VALUE', 'Only active subscribers can be imported.');
    const plan = planOf(collection, asked.input.planId);
    if (plan && plan.price.amount > 0)
      throw refuse('planId', 'INVALID_VALUE', 'A plan that costs something is joined by paying for it.');
    await subscribe(ctx, asked, sent);
  },
};

function newsletterOf({ collectionId }: Target): string {
  if (collectionId === undefined)
    throw refuse('collectionId', 'REQUIRED', 'Say of which newsletter they are subscribers.');
  return collectionId;
}

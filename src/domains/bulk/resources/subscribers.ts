/** Import and export of subscribers. The importer vouches for their consent; an import never changes existing subscriptions. */
import { type ErrorDetail, notFoundError, validationError } from '../../../errors.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { listSubscribers } from '../../newsletter/read/list-subscribers.ts';
import { listSubscribersSchema, subscribeSchema } from '../../newsletter/schemas.ts';
import {
  requireNewsletterPlan,
  subscribeToNewsletter,
} from '../../newsletter/subscribe/subscribe-to-newsletter.ts';
import { hasSubscription } from '../../newsletter/subscriptions/find-and-lock-subscriptions.ts';
import {
  type BulkBusinessAndCollection,
  type BulkRecordFields,
  type BulkResourceHandler,
  toBulkRecordPage,
} from './resource-handler.ts';

const lineError = (field: string, error: ErrorDetail['error'], message: string) =>
  validationError(field, error, message);

export const subscriberBulkHandler: BulkResourceHandler = {
  columns: {
    id: 'exportOnly',
    email: 'text',
    name: 'text',
    status: 'text',
    planId: 'text',
    market: 'text',
    createdAt: 'exportOnly',
    updatedAt: 'exportOnly',
  },
  page: (ctx, target, args) =>
    toBulkRecordPage(
      listSubscribers(
        ctx,
        listSubscribersSchema.parse({
          businessId: target.businessId,
          collectionId: requireNewsletterId(target),
          ...args,
        }),
      ),
      (subscription): BulkRecordFields => ({ ...subscription }),
    ),
  async apply({ ctx, readCtx, fields: { status, ...input } }, target) {
    const rawArgs = { businessId: target.businessId, collectionId: requireNewsletterId(target), input };
    const args = parseInput(subscribeSchema, rawArgs);
    const { businessId, collectionId: id } = args;
    const collection = await findCollection(readCtx, { businessId, id });
    if (!collection) throw notFoundError('Collection');
    // Skips existing addresses, unsubscribed ones too: only the subscribers themselves can resubscribe.
    if (await hasSubscription(readCtx.db, collection.id, args.input.email)) return;
    if (status !== undefined && status !== 'ACTIVE')
      throw lineError('status', 'INVALID_VALUE', 'Only active subscribers can be imported.');
    const plan = requireNewsletterPlan(collection, args.input.planId);
    if (plan && plan.price.amount > 0)
      throw lineError(
        'planId',
        'INVALID_VALUE',
        'Subscribers of a paid plan cannot be imported: the plan requires a payment.',
      );
    await subscribeToNewsletter(ctx, args, rawArgs, { isImported: true });
  },
};

function requireNewsletterId({ collectionId }: BulkBusinessAndCollection): string {
  if (collectionId === undefined)
    throw lineError('collectionId', 'REQUIRED', 'The newsletter of the subscribers is required.');
  return collectionId;
}

/** Adds `User.subscriptions` to the schema. */

import type { Context } from '../../../context.ts';
import { loadOwnedPage } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import type { User } from '../../users/model.ts';
import { UserGraphqlType } from '../../users/types.ts';
import type { NewsletterSubscription } from '../model.ts';
import { SubscriptionConnection } from '../types.ts';
import { subscriptionPageSource } from './list-subscribers.ts';

/** Lists the subscriptions of a user. A subscription belongs to an email address, and an address to the user who has confirmed it. */
function listUserSubscriptions(
  ctx: Context,
  { id, email, isSelf, isConfirmed }: Pick<User, 'id' | 'email' | 'isSelf' | 'isConfirmed'>,
  args: PageArgs,
): Promise<Page<NewsletterSubscription>> {
  if (!isSelf) throw forbiddenError();
  return loadOwnedPage(ctx, {
    records: subscriptionPageSource,
    list: `subscriptions:${id}`,
    args,
    owner: 's.key',
    params: [isConfirmed && email ? email.toLowerCase() : null],
    conditions: [],
  });
}

builder.objectField(UserGraphqlType, 'subscriptions', (t) =>
  t.field({
    type: SubscriptionConnection,
    nullable: true,
    description:
      'Subscriptions of the confirmed email address of the user, to newsletters of any business, newest first. Only the user themself may read it.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: (user, args, ctx) => listUserSubscriptions(ctx, user, args),
  }),
);

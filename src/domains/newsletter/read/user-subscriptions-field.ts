/** Adds `User.subscriptions` to the schema. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import { UserGraphqlType } from '../../users/types.ts';
import { SubscriptionConnection } from '../types.ts';
import { listUserSubscriptions } from './list-user-subscriptions.ts';

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

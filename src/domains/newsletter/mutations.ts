/** Mutations of newsletters and subscriptions. */
import {
  existingBusinessScope,
  ownerOrPermissionScope,
  permissionOnRecordScope,
} from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { changeSubscriptionPlan } from './billing/change-plan.ts';
import { setSubscriptionCancelAtPeriodEnd } from './billing/set-cancel-at-period-end.ts';
import { ChangePlanInput, SubscribeInput } from './inputs.ts';
import {
  cancelSubscriptionSchema,
  changePlanSchema,
  mailTokenSchema,
  sendEntrySchema,
  subscribeSchema,
} from './schemas.ts';
import { scheduleNewsletterSend } from './sending/schedule-send.ts';
import { confirmSubscription } from './subscribe/confirm-subscription.ts';
import { resubscribeToNewsletter } from './subscribe/resubscribe.ts';
import { subscribeToNewsletter } from './subscribe/subscribe-to-newsletter.ts';
import { unsubscribeFromNewsletter } from './subscribe/unsubscribe.ts';
import { SendEntryPayload, SubscribePayload, SubscriptionPayload, UnsubscribePayload } from './types.ts';

const subscriberOrStaff = ownerOrPermissionScope('ORDERS_WRITE', 'Subscription');

/** A mail token replaces signing in; without one the viewer must be signed in. */
const mailTokenOrViewer =
  <Args extends { businessId: string }>(tokenOf: (args: Args) => string | null | undefined) =>
  (root: unknown, args: Args) =>
    (tokenOf(args) ? existingBusinessScope : subscriberOrStaff)(root, args);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const addressArgs = {
    businessId,
    id: t.arg.id({ required: true, description: 'Id of the subscription.' }),
  };
  const token = t.arg.string({ description: 'Token from a mail of the subscription; replaces signing in.' });
  return {
    cancelSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Ends a renewing subscription at the end of its paid period. Needs to be the subscriber, a mail token, or ORDERS_WRITE.',
      authScopes: mailTokenOrViewer(({ token }) => token),
      args: { ...addressArgs, token },
      ...validatedField(cancelSubscriptionSchema, (ctx, args) =>
        setSubscriptionCancelAtPeriodEnd(ctx, args, true),
      ),
    }),
    resumeSubscription: t.field({
      type: SubscriptionPayload,
      description: 'Takes back `cancelSubscription`: the subscription renews again. Needs the same rights.',
      authScopes: mailTokenOrViewer(({ token }) => token),
      args: { ...addressArgs, token },
      ...validatedField(cancelSubscriptionSchema, (ctx, args) =>
        setSubscriptionCancelAtPeriodEnd(ctx, args, false),
      ),
    }),
    changePlan: t.field({
      type: SubscribePayload,
      description:
        'Changes the plan of an active subscription: immediately to a free plan, after payment to a paid one. Needs the same rights as `cancelSubscription`.',
      authScopes: mailTokenOrViewer(({ input }) => input?.token),
      args: { ...addressArgs, ...inputArg(ChangePlanInput, 'The new plan.') },
      ...validatedField(changePlanSchema, changeSubscriptionPlan),
    }),
    subscribe: t.field({
      type: SubscribePayload,
      description:
        'Subscribes an email address to a newsletter. Idempotent: an address has one subscription. Only the owner of the address and staff with NEWSLETTER_SEND see a stored one; every other caller gets the answer of a new subscription.',
      authScopes: { signedIn: true },
      args: fieldArgs({
        businessId,
        collectionId: ['ID!', 'Id or slug of the newsletter.'],
        ...inputArg(SubscribeInput, 'Subscriber and plan.'),
      }),
      ...validatedField(subscribeSchema, subscribeToNewsletter),
    }),
    confirmSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Activates a subscription in PENDING_CONFIRMATION. Needs only the token of the confirmation mail. Idempotent.',
      authScopes: existingBusinessScope,
      args: fieldArgs({ businessId, token: ['String!', 'Token from the mail.'] }),
      ...validatedField(mailTokenSchema, confirmSubscription),
    }),
    unsubscribe: t.field({
      type: UnsubscribePayload,
      description: 'Ends a subscription. Needs only the token of a mail. Idempotent.',
      authScopes: existingBusinessScope,
      args: fieldArgs({ businessId, token: ['String!', 'Token from the mail.'] }),
      ...validatedField(mailTokenSchema, unsubscribeFromNewsletter),
    }),
    resubscribe: t.field({
      type: SubscriptionPayload,
      description:
        'Takes back `unsubscribe` with the same token: ACTIVE again when the plan is free or still paid. Idempotent.',
      authScopes: existingBusinessScope,
      args: fieldArgs({ businessId, token: ['String!', 'Token from the mail.'] }),
      ...validatedField(mailTokenSchema, resubscribeToNewsletter),
    }),
    sendEntry: t.field({
      type: SendEntryPayload,
      description:
        'Sends an entry to all active subscribers of its newsletter. Idempotent: an entry has one send. Needs NEWSLETTER_SEND.',
      authScopes: permissionOnRecordScope('NEWSLETTER_SEND', 'Entry'),
      args: fieldArgs({
        businessId,
        id: ['ID!', 'Id of the entry.'],
        scheduledAt: ['Timestamp', 'Start of the send; default, and minimum, is now.'],
      }),
      ...validatedField(sendEntrySchema, scheduleNewsletterSend),
    }),
  };
});

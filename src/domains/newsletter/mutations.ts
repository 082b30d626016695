/** Mutations of newsletters. */

import { existingBusiness, ownerOrPermission, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { setSubscriptionCancelAtPeriodEnd } from './billing/cancel-subscription.ts';
import { changePlan } from './billing/change-plan.ts';
import { ChangePlanInput, SubscribeInput } from './inputs.ts';
import {
  cancelSubscriptionSchema,
  changePlanSchema,
  mailTokenSchema,
  sendEntrySchema,
  subscribeSchema,
} from './schemas.ts';
import { sendEntry } from './sending/send-entry.ts';
import { confirmSubscription } from './subscribe/confirm-subscription.ts';
import { resubscribe } from './subscribe/resubscribe.ts';
import { subscribeToNewsletter } from './subscribe/subscribe-to-newsletter.ts';
import { unsubscribe } from './subscribe/unsubscribe.ts';
import { SendEntryPayload, SubscribePayload, SubscriptionPayload, UnsubscribePayload } from './types.ts';

const handled = ownerOrPermission('ORDERS_WRITE', 'Subscription');

/** Mails carry a token that stands for signing in. */
const orByMail =
  <Args extends { businessId: string }>(tokenOf: (args: Args) => string | null | undefined) =>
  (root: unknown, args: Args) =>
    (tokenOf(args) ? existingBusiness : handled)(root, args);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const ofSubscription = {
    businessId,
    id: t.arg.id({ required: true, description: 'Id of the subscription.' }),
  };
  const token = t.arg.string({ description: 'From a mail; needs no account.' });
  return {
    cancelSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Lets a subscription end with the period that is paid for. For its subscriber, a token of its mails, and ORDERS_WRITE.',
      authScopes: orByMail(({ token }) => token),
      args: { ...ofSubscription, token },
      ...validatedField(cancelSubscriptionSchema, (args, ctx) =>
        setSubscriptionCancelAtPeriodEnd(ctx, args, true),
      ),
    }),
    resumeSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Lets a subscription renew after all that was to end with its period. For the same people.',
      authScopes: orByMail(({ token }) => token),
      args: { ...ofSubscription, token },
      ...validatedField(cancelSubscriptionSchema, (args, ctx) =>
        setSubscriptionCancelAtPeriodEnd(ctx, args, false),
      ),
    }),
    changePlan: t.field({
      type: SubscribePayload,
      description:
        'Exchanges the plan of an active subscription: at once for a free one, else when it is paid. For the same people.',
      authScopes: orByMail(({ input }) => input?.token),
      args: {
        ...ofSubscription,
        input: t.arg({ type: ChangePlanInput, required: true, description: 'The other plan.' }),
      },
      ...validatedField(changePlanSchema, (args, ctx) => changePlan(ctx, args)),
    }),
    subscribe: t.field({
      type: SubscribePayload,
      description: 'Subscribes an email to a newsletter. Doing it again finds the same subscription.',
      authScopes: { signedIn: true },
      args: {
        businessId,
        collectionId: t.arg.id({ required: true, description: 'Id or slug of the newsletter.' }),
        input: t.arg({ type: SubscribeInput, required: true, description: 'Who subscribes.' }),
      },
      ...validatedField(subscribeSchema, (args, ctx, sent) => subscribeToNewsletter(ctx, args, sent)),
    }),
    confirmSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Lets a subscription begin that waits for the confirmation of its address. Needs only the token of that mail, and works again.',
      authScopes: existingBusiness,
      args: { businessId, token: t.arg.string({ required: true, description: 'From the mail.' }) },
      ...validatedField(mailTokenSchema, (args, ctx) => confirmSubscription(ctx, args)),
    }),
    unsubscribe: t.field({
      type: UnsubscribePayload,
      description: 'Ends a subscription by the token of a mail. Needs nothing else, and works again.',
      authScopes: existingBusiness,
      args: {
        businessId,
        token: t.arg.string({ required: true, description: 'From the mail.' }),
      },
      ...validatedField(mailTokenSchema, (args, ctx) => unsubscribe(ctx, args)),
    }),
    resubscribe: t.field({
      type: SubscriptionPayload,
      description:
        'Takes an unsubscribing back by the same token: active again if the plan is free or still paid for. Works again.',
      authScopes: existingBusiness,
      args: { businessId, token: t.arg.string({ required: true, description: 'From the mail.' }) },
      ...validatedField(mailTokenSchema, (args, ctx) => resubscribe(ctx, args)),
    }),
    sendEntry: t.field({
      type: SendEntryPayload,
      description:
        'Sends an entry to all subscribers of its newsletter, once: doing it again finds the same send. Needs NEWSLETTER_SEND.',
      authScopes: permissionOnRecord('NEWSLETTER_SEND', 'Entry'),
      args: {
        businessId,
        id: t.arg.id({ required: true, description: 'Id of the entry.' }),
        scheduledAt: t.arg({ type: 'Timestamp', description: 'When to begin; now when absent or past.' }),
      },
      ...validatedField(sendEntrySchema, (args, ctx) => sendEntry(ctx, args)),
    }),
  };
});

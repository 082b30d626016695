/** Mutations of newsletters. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { anybody, onRecord, ownOr } from '../../graphql/scopes.ts';
import { setCancelAtPeriodEnd } from './cancel-renewal.ts';
import { changePlan } from './change-plan.ts';
import { cancelRenewalCheck, changePlanCheck, sendEntryCheck, subscribeCheck, tokenCheck } from './checks.ts';
import { confirmSubscription } from './confirm-subscription.ts';
import { ChangePlanInput, SubscribeInput } from './inputs.ts';
import { resubscribe } from './resubscribe.ts';
import { sendEntry } from './send-entry.ts';
import { subscribe } from './subscribe.ts';
import { SendEntryPayload, SubscribePayload, SubscriptionPayload, UnsubscribePayload } from './types.ts';
import { unsubscribe } from './unsubscribe.ts';

const handled = ownOr('ORDERS_WRITE', 'Subscription');

/** Mails carry a token that stands for signing in. */
const orByMail =
  <Args extends { businessId: string }>(tokenOf: (args: Args) => string | null | undefined) =>
  (root: unknown, args: Args) =>
    (tokenOf(args) ? anybody : handled)(root, args);

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
      ...checked(cancelRenewalCheck, (args, ctx) => setCancelAtPeriodEnd(ctx, args, true)),
    }),
    resumeSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Lets a subscription renew after all that was to end with its period. For the same people.',
      authScopes: orByMail(({ token }) => token),
      args: { ...ofSubscription, token },
      ...checked(cancelRenewalCheck, (args, ctx) => setCancelAtPeriodEnd(ctx, args, false)),
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
      ...checked(changePlanCheck, (args, ctx) => changePlan(ctx, args)),
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
      ...checked(subscribeCheck, (args, ctx, sent) => subscribe(ctx, args, sent)),
    }),
    confirmSubscription: t.field({
      type: SubscriptionPayload,
      description:
        'Lets a subscription begin that waits for the confirmation of its address. Needs only the token of that mail, and works again.',
      authScopes: anybody,
      args: { businessId, token: t.arg.string({ required: true, description: 'From the mail.' }) },
      ...checked(tokenCheck, (args, ctx) => confirmSubscription(ctx, args)),
    }),
    unsubscribe: t.field({
      type: UnsubscribePayload,
      description: 'Ends a subscription by the token of a mail. Needs nothing else, and works again.',
      authScopes: anybody,
      args: {
        businessId,
        token: t.arg.string({ required: true, description: 'From the mail.' }),
      },
      ...checked(tokenCheck, (args, ctx) => unsubscribe(ctx, args)),
    }),
    resubscribe: t.field({
      type: SubscriptionPayload,
      description:
        'Takes an unsubscribing back by the same token: active again if the plan is free or still paid for. Works again.',
      authScopes: anybody,
      args: { businessId, token: t.arg.string({ required: true, description: 'From the mail.' }) },
      ...checked(tokenCheck, (args, ctx) => resubscribe(ctx, args)),
    }),
    sendEntry: t.field({
      type: SendEntryPayload,
      description:
        'Sends an entry to all subscribers of its newsletter, once: doing it again finds the same send. Needs NEWSLETTER_SEND.',
      authScopes: onRecord('NEWSLETTER_SEND', 'Entry'),
      args: {
        businessId,
        id: t.arg.id({ required: true, description: 'Id of the entry.' }),
        scheduledAt: t.arg({ type: 'Timestamp', description: 'When to begin; now when absent or past.' }),
      },
      ...checked(sendEntryCheck, (args, ctx) => sendEntry(ctx, args)),
    }),
  };
});

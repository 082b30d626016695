/** GraphQL types of subscriptions and newsletter sends. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { TimestampedGraphqlInterface } from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType, describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { maxLoaderBatchSize } from '../../lib/cache/per-request-loader.ts';
import { EntryGraphqlType } from '../entries/types.ts';
import type { TemplateVariable } from './mail/template-variables.ts';
import type {
  NewsletterSend,
  NewsletterSubscription,
  newsletterRecipientStatuses,
  newsletterSendStatuses,
  renewalStates,
  subscriptionStatuses,
} from './model.ts';
import { loadNewsletterSendsByEntryIds } from './sending/load-sends-by-entry-ids.ts';
import type { ScheduledNewsletterSend } from './sending/schedule-send.ts';
import type { SubscriptionOrCheckoutUrl } from './subscribe/subscribe-to-newsletter.ts';

export const SubscriptionStatusEnum = builder.enumType('SubscriptionStatus', {
  description: 'Status of a subscription. Only ACTIVE subscriptions receive mails.',
  values: describedEnumValues<(typeof subscriptionStatuses)[number]>({
    PENDING: 'Waits for the payment of its plan.',
    PENDING_CONFIRMATION:
      'Waits for the confirmation of the email address by the link in the confirmation mail.',
    ACTIVE: 'Receives the mails.',
    CANCELLED: 'Ended by its payment: unpaid, refunded, or cancelled at the end of the paid period.',
    UNSUBSCRIBED: 'Ended by the subscriber.',
  }),
});

const RenewalStateEnum = builder.enumType('RenewalState', {
  description: 'State of the renewal of a paid plan.',
  values: describedEnumValues<(typeof renewalStates)[number]>({
    ACTIVE: 'Renews at the end of the period unless `cancelAtPeriodEnd` is true.',
    PAST_DUE: 'Renewal payment failed; delivery continues until the end of the grace period.',
    ENDED: 'No further renewal.',
  }),
});

export const NewsletterSubscriptionGraphqlType = builder
  .objectRef<NewsletterSubscription>('NewsletterSubscription')
  .implement({
    interfaces: [TimestampedGraphqlInterface],
    description: 'Subscription of an email address to a newsletter.',
    fields: outputFields((t) => ({
      id: ['ID!', 'Id of the subscription.'],
      entity: ['String!', '`collection:<id>` of the newsletter.'],
      email: ['String!', 'Email address of the subscriber.'],
      name: ['String!', 'Name of the subscriber; may be empty.'],
      planId: ['ID', 'Id of the plan; null for a newsletter without plans.'],
      status: t.expose('status', { type: SubscriptionStatusEnum, description: 'Current status.' }),
      renewalState: [
        RenewalStateEnum,
        'State of the renewal. This field and the other renewal fields are null for a plan that does not renew.',
      ],
      currentPeriodStart: ['Timestamp', 'Start of the last paid period.'],
      currentPeriodEnd: ['Timestamp', 'End of the last paid period.'],
      cancelAtPeriodEnd: [
        'Boolean',
        'True when the subscription ends with its current period instead of renewing.',
      ],
      graceUntil: ['Timestamp', 'End of the grace period after a failed renewal payment; null otherwise.'],
    })),
  });

export const SubscriptionPayload = createPayloadType(
  'SubscriptionPayload',
  'subscription',
  NewsletterSubscriptionGraphqlType,
);

export const NewsletterRecipientStatusEnum = builder.enumType('NewsletterRecipientStatus', {
  description: 'Delivery status of a newsletter mail to one recipient.',
  values: describedEnumValues<(typeof newsletterRecipientStatuses)[number]>({
    WAITING: 'Not sent yet, or waiting for a retry.',
    SENT: 'Accepted by the mail server.',
    FAILED: 'Rejected permanently, or failed in all attempts.',
    SKIPPED: 'The subscriber unsubscribed before the mail was sent.',
  }),
});

export const SubscriptionConnection = createConnectionType(
  'NewsletterSubscription',
  NewsletterSubscriptionGraphqlType,
);

export const SubscribePayload = builder.objectRef<SubscriptionOrCheckoutUrl>('SubscribePayload').implement({
  description: 'The subscription, or the URL of its payment page.',
  fields: (t) => ({
    subscription: t.field({
      type: NewsletterSubscriptionGraphqlType,
      nullable: true,
      description: 'The subscription; null when a payment is required.',
      resolve: (payload) => payload.subscription ?? null,
    }),
    checkoutUrl: t.string({
      nullable: true,
      description:
        'URL of the payment page; null when no payment is required. The subscription becomes active after the payment.',
      resolve: (payload) => payload.checkoutUrl ?? null,
    }),
  }),
});

export const UnsubscribePayload = builder.objectRef<{ success: true }>('UnsubscribePayload').implement({
  description: 'Result of unsubscribing.',
  fields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
});

export const SendEntryPayload = builder.objectRef<ScheduledNewsletterSend>('SendEntryPayload').implement({
  description: 'Result of `sendEntry`.',
  fields: outputFields((t) => ({
    success: t.boolean({ description: 'Always true.', resolve: () => true }),
    sendId: ['ID!', 'Id of the send.'],
    scheduledAt: ['Timestamp!', 'Start of the send.'],
    recipients: ['Int!', 'Number of recipients; before the start, the number of active subscribers.'],
  })),
});

const SendStatusEnum = builder.enumType('NewsletterSendStatus', {
  description: 'Progress of sending an entry to the subscribers.',
  values: describedEnumValues<(typeof newsletterSendStatuses)[number]>({
    SCHEDULED: 'Waits for `scheduledAt`.',
    SENDING: 'Mails are being sent.',
    SENT: 'All mails are sent, failed or skipped.',
  }),
});

const NewsletterSendGraphqlType = builder.objectRef<NewsletterSend>('NewsletterSend').implement({
  description: 'Progress of the send of an entry.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the send.'],
    status: t.expose('status', { type: SendStatusEnum, description: 'Status of the send.' }),
    scheduledAt: ['Timestamp!', 'Start of the send.'],
    recipients: ['Int!', 'Number of recipients; 0 until the send starts.'],
    sent: ['Int!', 'Mails accepted by the mail server.'],
    failed: ['Int!', 'Mails rejected permanently or failed in all attempts.'],
  })),
});

builder.objectField(EntryGraphqlType, 'newsletterSend', (t) =>
  t.loadable({
    type: NewsletterSendGraphqlType,
    nullable: true,
    description:
      'Newsletter send of the entry; null when it was not sent, or for viewers without CONTENT_WRITE or NEWSLETTER_SEND.',
    complexity: 5,
    loaderOptions: { maxBatchSize: maxLoaderBatchSize },
    load: (ids: string[], ctx) => loadNewsletterSendsByEntryIds(ctx, ids),
    resolve: (entry) => entry.id,
  }),
);

export const TemplateVariableGraphqlType = builder.objectRef<TemplateVariable>('TemplateVariable').implement({
  description: 'Placeholder in newsletter mails, written `{{key}}`.',
  fields: outputFields({
    key: ['String!', 'Key between the braces.'],
    label: ['String!', 'Name shown to editors.'],
    description: ['String!', 'Meaning of the inserted value.'],
    example: ['String!', 'Example of the inserted value.'],
  }),
});

/** GraphQL types of newsletters. */

import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { Timestamped } from '../../graphql/schema/interfaces.ts';
import { createPayloadType, enumValues } from '../../graphql/schema/type-helpers.ts';
import { maxLoaderBatchSize } from '../../lib/cache/request-loader.ts';
import { EntryType } from '../entries/types.ts';
import type { TemplateVariable } from './mail/template-variables.ts';
import type {
  NewsletterSend,
  recipientStatuses,
  renewalStates,
  Subscription,
  sendStatuses,
  subscriptionStatuses,
} from './model.ts';
import { loadNewsletterSends } from './sending/load-sends.ts';
import type { SendReceipt } from './sending/send-entry.ts';
import type { SubscribeResult } from './subscribe/subscribe-to-newsletter.ts';

export const SubscriptionStatusEnum = builder.enumType('SubscriptionStatus', {
  description:
    'PENDING until paid; PENDING_CONFIRMATION until the address is confirmed by its mail; ACTIVE ones get the mails; CANCELLED by the payment provider; UNSUBSCRIBED by the subscriber.',
  values: enumValues<(typeof subscriptionStatuses)[number]>({
    PENDING: 'It begins when it is paid.',
    PENDING_CONFIRMATION: 'It begins when the link of the mail is followed.',
    ACTIVE: 'It gets the mails.',
    CANCELLED: 'It ended because it was not paid, or with the period that was.',
    UNSUBSCRIBED: 'The subscriber has left.',
  }),
});

const RenewalStateEnum = builder.enumType('RenewalState', {
  description:
    'PAST_DUE when a renewal was not paid, until the time of grace is over; ENDED ones renew no more.',
  values: enumValues<(typeof renewalStates)[number]>({
    ACTIVE: 'It renews at the end of its period, unless it is cancelled before.',
    PAST_DUE: 'The renewal was not paid; the mails go on until the time of grace is over.',
    ENDED: 'It renews no more.',
  }),
});

export const SubscriptionType = builder.objectRef<Subscription>('Subscription').implement({
  interfaces: [Timestamped],
  description: "Somebody's place on the list of a newsletter.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the subscription.' }),
    entity: t.exposeString('entity', { description: '`collection:<id>` of the newsletter.' }),
    email: t.exposeString('email', { description: 'Where the mails go.' }),
    name: t.exposeString('name', { description: 'The name they gave; may be empty.' }),
    planId: t.exposeID('planId', { nullable: true, description: 'The plan they chose.' }),
    status: t.expose('status', { type: SubscriptionStatusEnum, description: 'Current status.' }),
    renewalState: t.expose('renewalState', {
      type: RenewalStateEnum,
      nullable: true,
      description: 'How it renews; null when it does not. So are the next four.',
    }),
    currentPeriodStart: t.expose('currentPeriodStart', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the period began that was last paid.',
    }),
    currentPeriodEnd: t.expose('currentPeriodEnd', {
      type: 'Timestamp',
      nullable: true,
      description: 'Until when it is paid.',
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      nullable: true,
      description: 'Whether it ends with the period.',
    }),
    graceUntil: t.expose('graceUntil', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ends if the renewal that failed is not paid.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const SubscriptionPayload = createPayloadType('SubscriptionPayload', 'subscription', SubscriptionType);

export const RecipientStatusEnum = builder.enumType('NewsletterRecipientStatus', {
  description:
    'WAITING for its turn; SENT; FAILED for good; SKIPPED when the subscriber had left before it was sent.',
  values: enumValues<(typeof recipientStatuses)[number]>({
    WAITING: 'Its turn will come.',
    SENT: 'The mail server has taken it.',
    FAILED: 'It was given up.',
    SKIPPED: 'The subscriber had left before it was sent.',
  }),
});

export const SubscriptionConnection = createConnectionType('Subscription', SubscriptionType);

export const SubscribePayload = builder.objectRef<SubscribeResult>('SubscribePayload').implement({
  description: 'The subscription, or where to pay for it.',
  fields: (t) => ({
    subscription: t.field({
      type: SubscriptionType,
      nullable: true,
      description: 'The subscription, when nothing is to be paid.',
      resolve: (payload) => payload.subscription ?? null,
    }),
    checkoutUrl: t.string({
      nullable: true,
      description: 'Where to pay; the subscription is active after that.',
      resolve: (payload) => payload.checkoutUrl ?? null,
    }),
  }),
});

export const UnsubscribePayload = builder.objectRef<{ success: true }>('UnsubscribePayload').implement({
  description: 'That it worked.',
  fields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
});

export const SendEntryPayload = builder.objectRef<SendReceipt>('SendEntryPayload').implement({
  description: 'The one send of the entry.',
  fields: (t) => ({
    success: t.boolean({ description: 'Always true.', resolve: () => true }),
    sendId: t.exposeID('sendId', { description: 'Id of the send.' }),
    scheduledAt: t.expose('scheduledAt', { type: 'Timestamp', description: 'When it begins, or began.' }),
    recipients: t.exposeInt('recipients', { description: 'How many get it.' }),
  }),
});

const SendStatusEnum = builder.enumType('NewsletterSendStatus', {
  description: 'SCHEDULED until its time, SENDING while mails go out, SENT when all are done.',
  values: enumValues<(typeof sendStatuses)[number]>({
    SCHEDULED: 'Its time has not come.',
    SENDING: 'Mails go out.',
    SENT: 'All of them are done.',
  }),
});

const NewsletterSendType = builder.objectRef<NewsletterSend>('NewsletterSend').implement({
  description: 'How far the sending of an entry is.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the send.' }),
    status: t.expose('status', { type: SendStatusEnum, description: 'How far it is.' }),
    scheduledAt: t.expose('scheduledAt', { type: 'Timestamp', description: 'When it begins, or began.' }),
    recipients: t.exposeInt('recipients', { description: 'How many get it; 0 until it begins.' }),
    sent: t.exposeInt('sent', { description: 'Mails handed over.' }),
    failed: t.exposeInt('failed', { description: 'Mails refused for good, or given up on.' }),
  }),
});

builder.objectField(EntryType, 'newsletterSend', (t) =>
  t.loadable({
    type: NewsletterSendType,
    nullable: true,
    description: 'The send of the entry, for staff; null when it was not sent.',
    complexity: 5,
    loaderOptions: { maxBatchSize: maxLoaderBatchSize },
    load: (ids: string[], ctx) => loadNewsletterSends(ctx, ids),
    resolve: (entry) => entry.id,
  }),
);

export const TemplateVariableType = builder.objectRef<TemplateVariable>('TemplateVariable').implement({
  description: 'A placeholder that mails may contain, written `{{key}}`.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What stands between the braces.' }),
    label: t.exposeString('label', { description: 'Name shown to editors.' }),
    description: t.exposeString('description', { description: 'What it becomes.' }),
    example: t.exposeString('example', { description: 'What that may look like.' }),
  }),
});

/** zod schemas of newsletter and subscription operations. */
import { z } from 'zod';
import { now } from '../../lib/time.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  dateRangeFilterSchemas,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
} from '../../lib/validation/input.ts';
import { subscriptionStatuses } from './model.ts';

const email = buildRequiredTextSchema(254).pipe(z.email('Must be an email address.'));

/** Names appear in mails: whitespace, control and format characters collapse to single spaces. */
const name = buildTextSchema(200).transform((value) => value.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());

export const subscribeSchema = z.object({
  businessId: z.string(),
  collectionId: z.string(),
  input: z.object({
    email,
    name: optionalInput(name),
    market: optionalInput(buildTextSchema(50)),
    planId: optionalInput(buildTextSchema(200)),
    returnUrl: optionalInput(buildTextSchema(2048)),
    cancelUrl: optionalInput(buildTextSchema(2048)),
  }),
});

export const cancelSubscriptionSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  token: optionalInput(z.string()),
});

export const changePlanSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({
    planId: buildRequiredTextSchema(200),
    token: optionalInput(z.string()),
    returnUrl: optionalInput(buildTextSchema(2048)),
    cancelUrl: optionalInput(buildTextSchema(2048)),
  }),
});

/** Arguments of operations that a mail token authorises. */
export const mailTokenSchema = z.object({
  businessId: z.string(),
  token: z.string({ error: 'This field is required.' }),
});

/** `_DESC` reverses the order. Default: NEWEST. */
export const subscriberSorts = [
  'NEWEST',
  'OLDEST',
  'EMAIL',
  'EMAIL_DESC',
  'UPDATED',
  'UPDATED_DESC',
] as const;

const subscriberFilter = z.object({
  statuses: optionalInput(z.array(z.enum(subscriptionStatuses)).max(100)),
  planId: optionalInput(buildTextSchema(200)),
  email: optionalInput(buildRequiredTextSchema(254)),
  ...dateRangeFilterSchemas,
});

export const listSubscribersSchema = z.object({
  businessId: z.string(),
  collectionId: z.string(),
  ...pageArgSchemas,
  status: optionalInput(z.enum(subscriptionStatuses)),
  filter: optionalInput(subscriberFilter),
  sort: optionalInput(z.enum(subscriberSorts)),
});

const maxDelaySeconds = 5 * 366 * 86_400;

export const sendEntrySchema = z.object({
  businessId: z.string(),
  id: z.string(),
  scheduledAt: optionalInput(
    z
      .number()
      .int()
      .refine(
        (time) => time < now() + maxDelaySeconds,
        detailCodeRefineOptions('TOO_BIG', 'Must be within the next five years.'),
      ),
  ),
});

export type SubscribeArgs = z.output<typeof subscribeSchema>;
export type ChangePlanArgs = z.output<typeof changePlanSchema>;
export type ListSubscribersArgs = z.output<typeof listSubscribersSchema>;
export type SubscriberFilterFields = Partial<NonNullable<ListSubscribersArgs['filter']>>;
export type SendEntryArgs = z.output<typeof sendEntrySchema>;

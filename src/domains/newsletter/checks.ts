/** What callers of the newsletter must send. */
import { z } from 'zod';
import { dateFields, optional, pageFields, requiredText, rule, text } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { subscriptionStatuses } from './model.ts';

const email = requiredText(254).pipe(z.email('Must be an email address.'));

/** Names end up in mails: one line, without anything invisible. */
const name = text(200).transform((value) => value.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());

export const subscribeCheck = z.object({
  businessId: z.string(),
  collectionId: z.string(),
  input: z.object({
    email,
    name: optional(name),
    market: optional(text(50)),
    planId: optional(text(200)),
    returnUrl: optional(text(2048)),
    cancelUrl: optional(text(2048)),
  }),
});

export const cancelRenewalCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  token: optional(z.string()),
});

export const changePlanCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({
    planId: requiredText(200),
    token: optional(z.string()),
    returnUrl: optional(text(2048)),
    cancelUrl: optional(text(2048)),
  }),
});

/** What whoever has a mail needs. */
export const tokenCheck = z.object({
  businessId: z.string(),
  token: z.string({ error: 'This field is required.' }),
});

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const subscriberSorts = [
  'NEWEST',
  'OLDEST',
  'EMAIL',
  'EMAIL_DESC',
  'UPDATED',
  'UPDATED_DESC',
] as const;

const subscriberFilter = z.object({
  statuses: optional(z.array(z.enum(subscriptionStatuses)).max(100)),
  planId: optional(text(200)),
  email: optional(requiredText(254)),
  ...dateFields,
});

export const subscriberFilterCheck = z.object({
  businessId: z.string(),
  collectionId: z.string(),
  ...pageFields,
  status: optional(z.enum(subscriptionStatuses)),
  filter: optional(subscriberFilter),
  sort: optional(z.enum(subscriberSorts)),
});

const fiveYears = 5 * 366 * 86_400;

export const sendEntryCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  scheduledAt: optional(
    z
      .number()
      .int()
      .refine((moment) => moment < now() + fiveYears, rule('TOO_BIG', 'Must be within the next five years.')),
  ),
});

export type Subscribe = z.output<typeof subscribeCheck>;
export type ChangePlan = z.output<typeof changePlanCheck>;
export type SubscriberFilter = z.output<typeof subscriberFilterCheck>;
export type SubscriberNarrowing = Partial<NonNullable<SubscriberFilter['filter']>>;
export type SendEntry = z.output<typeof sendEntryCheck>;

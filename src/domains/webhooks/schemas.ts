/** What callers of webhooks must send. */
import { z } from 'zod';
import {
  mutuallyExclusive,
  optionalInput,
  pageFields,
  requiredTextSchema,
  textSchema,
  withDetailCode,
} from '../../lib/validation/input.ts';
import { eventPatternList, eventPatterns } from './events.ts';
import { deliveryStatuses, endpointStatuses } from './model.ts';
import { findEndpointUrlError, maxEndpointUrlLength } from './rules.ts';

const url = (allowPrivate: boolean) =>
  requiredTextSchema(maxEndpointUrlLength).superRefine((value, ctx) => {
    const fault = findEndpointUrlError(value, allowPrivate);
    if (fault) ctx.addIssue({ code: 'custom', message: fault.message, params: { error: fault.error } });
  });

const events = z
  .array(
    z
      .string()
      .refine(
        (pattern) => eventPatterns.has(pattern),
        withDetailCode('UNKNOWN_EVENT', `Must be one of: ${eventPatternList}`),
      ),
  )
  .min(1, 'Must name at least one event.')
  .max(eventPatterns.size, 'Names more events than there are.')
  .transform((list) => [...new Set(list)]);

/** Enums are patterns already; what is wrong with the list is said of the field that has it. */
const eventFields = { topics: optionalInput(events), events: optionalInput(events) };

const topicsOrEvents = mutuallyExclusive('topics', 'events');

const needsEvents = (value: unknown, ctx: z.core.$RefinementCtx) => {
  const { topics, events: given } = (value ?? {}) as { topics?: unknown; events?: unknown };
  if (topics == null && given == null)
    ctx.addIssue({
      code: 'custom',
      path: ['events'],
      message: 'This field is required.',
      params: { error: 'REQUIRED' },
    });
};

const version = optionalInput(z.number().int());

/** Whether private addresses will do is a matter of configuration. */
export const createWebhookEndpointSchema = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    input: z
      .object({ url: url(allowPrivate), description: optionalInput(textSchema(500)), ...eventFields })
      .superRefine(topicsOrEvents, { when: () => true })
      .superRefine(needsEvents, { when: () => true })
      .transform(({ topics, events: given, ...input }) => ({ ...input, events: topics ?? given ?? [] })),
  });

export const updateWebhookEndpointSchema = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    id: z.string(),
    version,
    input: z
      .object({
        url: optionalInput(url(allowPrivate)),
        description: optionalInput(textSchema(500)),
        ...eventFields,
        status: optionalInput(z.enum(endpointStatuses)),
      })
      .superRefine(topicsOrEvents, { when: () => true })
      .transform(({ topics, events: given, ...input }) => ({ ...input, events: topics ?? given })),
  });

export const webhookEndpointAddressSchema = z.object({ businessId: z.string(), id: z.string(), version });

export const listWebhookEndpointsSchema = z.object({
  businessId: z.string(),
  ...pageFields,
});

export const listWebhookDeliveriesSchema = listWebhookEndpointsSchema.extend({
  endpointId: optionalInput(z.string()),
  status: optionalInput(z.enum(deliveryStatuses)),
});

export const webhookDeliveryAddressSchema = z.object({
  businessId: z.string(),
  endpointId: optionalInput(z.string()),
  id: z.string(),
});

export type CreateWebhookEndpointArgs = z.output<ReturnType<typeof createWebhookEndpointSchema>>;
export type UpdateWebhookEndpointArgs = z.output<ReturnType<typeof updateWebhookEndpointSchema>>;
export type WebhookEndpointAddress = z.output<typeof webhookEndpointAddressSchema>;
export type ListWebhookEndpointsArgs = z.output<typeof listWebhookEndpointsSchema>;
export type ListWebhookDeliveriesArgs = z.output<typeof listWebhookDeliveriesSchema>;
export type WebhookDeliveryAddress = z.output<typeof webhookDeliveryAddressSchema>;

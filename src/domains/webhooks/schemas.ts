/** zod schemas of webhook endpoints and deliveries. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { webhookDeliveryStatuses, webhookEndpointStatuses } from './model.ts';
import { findWebhookUrlError, maxWebhookUrlLength } from './url-signature-and-retry-rules.ts';
import { webhookEventPatterns, webhookEventPatternsText } from './webhook-event-types.ts';

const url = (allowPrivate: boolean) =>
  buildRequiredTextSchema(maxWebhookUrlLength).superRefine((value, ctx) => {
    const problem = findWebhookUrlError(value, allowPrivate);
    if (problem) ctx.addIssue({ code: 'custom', message: problem.message, params: { error: problem.error } });
  });

const events = z
  .array(
    z
      .string()
      .refine(
        (pattern) => webhookEventPatterns.has(pattern),
        detailCodeRefineOptions('UNKNOWN_EVENT', `Must be one of: ${webhookEventPatternsText}`),
      ),
  )
  .min(1, 'Must contain at least one event.')
  .max(webhookEventPatterns.size, 'Lists more events than exist.')
  .transform((list) => [...new Set(list)]);

/** `topics` are enum values that map to patterns. Errors are reported on the field that the client sent. */
const eventFields = { topics: optionalInput(events), events: optionalInput(events) };

const topicsOrEvents = refineMutuallyExclusive('topics', 'events');

const requireTopicsOrEvents = (value: unknown, ctx: z.core.$RefinementCtx) => {
  const { topics, events } = (value ?? {}) as { topics?: unknown; events?: unknown };
  if (topics == null && events == null)
    ctx.addIssue({
      code: 'custom',
      path: ['events'],
      message: 'This field is required.',
      params: { error: 'REQUIRED' },
    });
};

const version = optionalInput(z.number().int());

/** `allowPrivate` comes from the configuration: permits endpoints on private addresses. */
export const buildCreateWebhookEndpointSchema = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    input: z
      .object({ url: url(allowPrivate), description: optionalInput(buildTextSchema(500)), ...eventFields })
      .superRefine(topicsOrEvents, { when: () => true })
      .superRefine(requireTopicsOrEvents, { when: () => true })
      .transform(({ topics, events, ...input }) => ({ ...input, events: topics ?? events ?? [] })),
  });

export const buildUpdateWebhookEndpointSchema = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    id: z.string(),
    version,
    input: z
      .object({
        url: optionalInput(url(allowPrivate)),
        description: optionalInput(buildTextSchema(500)),
        ...eventFields,
        status: optionalInput(z.enum(webhookEndpointStatuses)),
      })
      .superRefine(topicsOrEvents, { when: () => true })
      .transform(({ topics, events, ...input }) => ({ ...input, events: topics ?? events })),
  });

export const webhookEndpointRefSchema = z.object({ businessId: z.string(), id: z.string(), version });

export const listWebhookEndpointsSchema = z.object({ businessId: z.string(), ...pageArgSchemas });

export const listWebhookDeliveriesSchema = listWebhookEndpointsSchema.extend({
  endpointId: optionalInput(z.string()),
  status: optionalInput(z.enum(webhookDeliveryStatuses)),
});

export const webhookDeliveryRefSchema = z.object({
  businessId: z.string(),
  endpointId: optionalInput(z.string()),
  id: z.string(),
});

export type CreateWebhookEndpointArgs = z.output<ReturnType<typeof buildCreateWebhookEndpointSchema>>;
export type UpdateWebhookEndpointArgs = z.output<ReturnType<typeof buildUpdateWebhookEndpointSchema>>;
export type WebhookEndpointRef = z.output<typeof webhookEndpointRefSchema>;
export type ListWebhookEndpointsArgs = z.output<typeof listWebhookEndpointsSchema>;
export type ListWebhookDeliveriesArgs = z.output<typeof listWebhookDeliveriesSchema>;
export type WebhookDeliveryRef = z.output<typeof webhookDeliveryRefSchema>;

/** What callers of webhooks must send. */
import { z } from 'zod';
import { instead, optional, pageFields, requiredText, rule, text } from '../../lib/input.ts';
import { patternList, patterns } from './events.ts';
import { deliveryStatuses, endpointStatuses } from './model.ts';
import { maxUrlLength, urlFault } from './rules.ts';

const url = (allowPrivate: boolean) =>
  requiredText(maxUrlLength).superRefine((value, ctx) => {
    const fault = urlFault(value, allowPrivate);
    if (fault) ctx.addIssue({ code: 'custom', message: fault.message, params: { error: fault.error } });
  });

const events = z
  .array(
    z
      .string()
      .refine((pattern) => patterns.has(pattern), rule('UNKNOWN_EVENT', `Must be one of: ${patternList}`)),
  )
  .min(1, 'Must name at least one event.')
  .max(patterns.size, 'Names more events than there are.')
  .transform((list) => [...new Set(list)]);

/** Enums are patterns already; what is wrong with the list is said of the field that has it. */
const eventFields = { topics: optional(events), events: optional(events) };

const topicsOrEvents = instead('topics', 'events');

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

const version = optional(z.number().int());

/** Whether private addresses will do is a matter of configuration. */
export const createEndpointCheck = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    input: z
      .object({ url: url(allowPrivate), description: optional(text(500)), ...eventFields })
      .superRefine(topicsOrEvents, { when: () => true })
      .superRefine(needsEvents, { when: () => true })
      .transform(({ topics, events: given, ...input }) => ({ ...input, events: topics ?? given ?? [] })),
  });

export const updateEndpointCheck = (allowPrivate: boolean) =>
  z.object({
    businessId: z.string(),
    id: z.string(),
    version,
    input: z
      .object({
        url: optional(url(allowPrivate)),
        description: optional(text(500)),
        ...eventFields,
        status: optional(z.enum(endpointStatuses)),
      })
      .superRefine(topicsOrEvents, { when: () => true })
      .transform(({ topics, events: given, ...input }) => ({ ...input, events: topics ?? given })),
  });

export const endpointAddressCheck = z.object({ businessId: z.string(), id: z.string(), version });

export const endpointListCheck = z.object({
  businessId: z.string(),
  ...pageFields,
});

export const deliveryListCheck = endpointListCheck.extend({
  endpointId: optional(z.string()),
  status: optional(z.enum(deliveryStatuses)),
});

export const deliveryAddressCheck = z.object({
  businessId: z.string(),
  endpointId: optional(z.string()),
  id: z.string(),
});

export type CreateEndpoint = z.output<ReturnType<typeof createEndpointCheck>>;
export type UpdateEndpoint = z.output<ReturnType<typeof updateEndpointCheck>>;
export type EndpointAddress = z.output<typeof endpointAddressCheck>;
export type EndpointList = z.output<typeof endpointListCheck>;
export type DeliveryList = z.output<typeof deliveryListCheck>;
export type DeliveryAddress = z.output<typeof deliveryAddressCheck>;

/** zod schemas of the request log. */
import { z } from 'zod';
import {
  buildTextSchema,
  optionalInput,
  pageArgSchemas,
  unixSecondsSchema,
} from '../../lib/validation/input.ts';
import { loggedProtocols } from './model.ts';

export const defaultRequestSummaryDays = 1;
export const maxRequestSummaryDays = 90;

export const listRequestsSchema = z.object({
  businessId: z.string(),
  requestId: optionalInput(buildTextSchema(200)),
  protocol: optionalInput(z.enum(loggedProtocols)),
  failed: optionalInput(z.boolean()),
  code: optionalInput(buildTextSchema(60)),
  operation: optionalInput(buildTextSchema(300)),
  client: optionalInput(buildTextSchema(200)),
  since: optionalInput(unixSecondsSchema),
  until: optionalInput(unixSecondsSchema),
  ...pageArgSchemas,
});

export const summarizeRequestsSchema = z.object({
  businessId: z.string(),
  days: optionalInput(z.number().int().min(1).max(maxRequestSummaryDays)).transform(
    (days) => days ?? defaultRequestSummaryDays,
  ),
});

export const updateRequestLogSettingsSchema = z.object({
  businessId: z.string(),
  input: z.object({ recordBodies: z.boolean() }),
});

export type ListRequestsArgs = z.output<typeof listRequestsSchema>;
export type SummarizeRequestsArgs = z.output<typeof summarizeRequestsSchema>;

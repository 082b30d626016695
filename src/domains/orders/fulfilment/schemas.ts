/** Zod schemas of shipments. */
import { z } from 'zod';
import { buildTextSchema, detailCodeRefineOptions, optionalInput } from '../../../lib/validation/input.ts';
import { fulfilmentStatuses } from '../model.ts';
import { orderRefFields, quantitiesAtLineIndexesSchema } from '../schemas.ts';

const isWebUrl = (url: string): boolean => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
};

/** An empty string removes the value. */
const tracking = {
  carrier: optionalInput(buildTextSchema(100).trim()),
  trackingNumber: optionalInput(buildTextSchema(100).trim()),
  trackingUrl: optionalInput(
    buildTextSchema(2048)
      .trim()
      .refine(
        (url) => url === '' || isWebUrl(url),
        detailCodeRefineOptions('INVALID_URL', 'Must be an http or https URL without credentials.'),
      ),
  ),
};

export const createFulfilmentSchema = z.object({
  ...orderRefFields,
  input: z.object({ lines: optionalInput(quantitiesAtLineIndexesSchema), ...tracking }),
});

export const updateFulfilmentSchema = z.object({
  ...orderRefFields,
  fulfilmentId: z.string(),
  input: z.object({ status: optionalInput(z.enum(fulfilmentStatuses)), ...tracking }),
});

export type CreateFulfilmentArgs = z.output<typeof createFulfilmentSchema>;
export type UpdateFulfilmentArgs = z.output<typeof updateFulfilmentSchema>;

/** What staff may say about a shipment. */
import { z } from 'zod';
import { optionalInput, textSchema, withDetailCode } from '../../../lib/validation/input.ts';
import { fulfilmentStatuses } from '../model.ts';
import { lineUnitsSchema, orderRefFields } from '../schemas.ts';

const isWebAddress = (sent: string): boolean => {
  if (!/^https?:\/\//i.test(sent) || !URL.canParse(sent)) return false;
  const { username, password } = new URL(sent);
  return username === '' && password === '';
};

/** An empty text takes away what was there. */
const tracking = {
  carrier: optionalInput(textSchema(100).trim()),
  trackingNumber: optionalInput(textSchema(100).trim()),
  trackingUrl: optionalInput(
    textSchema(2048)
      .trim()
      .refine(
        (sent) => sent === '' || isWebAddress(sent),
        withDetailCode('INVALID_URL', 'Must be an http(s) address.'),
      ),
  ),
};

export const createFulfilmentSchema = z.object({
  ...orderRefFields,
  input: z.object({ lines: optionalInput(lineUnitsSchema), ...tracking }),
});

export const updateFulfilmentSchema = z.object({
  ...orderRefFields,
  fulfilmentId: z.string(),
  input: z.object({ status: optionalInput(z.enum(fulfilmentStatuses)), ...tracking }),
});

export type CreateFulfilmentArgs = z.output<typeof createFulfilmentSchema>;
export type UpdateFulfilmentArgs = z.output<typeof updateFulfilmentSchema>;

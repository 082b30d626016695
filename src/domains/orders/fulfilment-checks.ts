/** What staff may say about a shipment. */
import { z } from 'zod';
import { optional, rule, text } from '../../lib/input.ts';
import { orderAddress, unitsCheck } from './checks.ts';
import { fulfilmentStatuses } from './model.ts';

const isWebAddress = (sent: string): boolean => {
  if (!/^https?:\/\//i.test(sent) || !URL.canParse(sent)) return false;
  const { username, password } = new URL(sent);
  return username === '' && password === '';
};

/** An empty text takes away what was there. */
const tracking = {
  carrier: optional(text(100).trim()),
  trackingNumber: optional(text(100).trim()),
  trackingUrl: optional(
    text(2048)
      .trim()
      .refine(
        (sent) => sent === '' || isWebAddress(sent),
        rule('INVALID_URL', 'Must be an http(s) address.'),
      ),
  ),
};

export const createFulfilmentCheck = z.object({
  ...orderAddress,
  input: z.object({ lines: optional(unitsCheck), ...tracking }),
});

export const updateFulfilmentCheck = z.object({
  ...orderAddress,
  fulfilmentId: z.string(),
  input: z.object({ status: optional(z.enum(fulfilmentStatuses)), ...tracking }),
});

export type CreateFulfilment = z.output<typeof createFulfilmentCheck>;
export type UpdateFulfilment = z.output<typeof updateFulfilmentCheck>;

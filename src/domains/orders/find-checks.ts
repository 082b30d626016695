/** What a list of orders can be asked for: filters and order. */
import { z } from 'zod';
import { currency, dateFields, money, optional, pageFields, requiredText } from '../../lib/input.ts';
import { orderStatuses, paymentStatuses } from './transitions.ts';

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const orderSorts = [
  'NEWEST',
  'OLDEST',
  'NUMBER',
  'NUMBER_DESC',
  'TOTAL',
  'TOTAL_DESC',
  'UPDATED',
  'UPDATED_DESC',
] as const;

const filter = z.object({
  statuses: optional(z.array(z.enum(orderStatuses)).max(100)),
  paymentStatuses: optional(z.array(z.enum(paymentStatuses)).max(100)),
  number: optional(z.number().int()),
  customerId: optional(z.string()),
  market: optional(requiredText(50)),
  currency: optional(currency),
  minTotal: optional(money),
  maxTotal: optional(money),
  ...dateFields,
});

export const orderFilterCheck = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optional(z.array(z.string()).max(100)),
  status: optional(z.enum(orderStatuses)),
  statuses: optional(z.array(z.enum(orderStatuses)).max(100)),
  paymentStatus: optional(z.enum(paymentStatuses)),
  customerId: optional(z.string()),
  filter: optional(filter),
  sort: optional(z.enum(orderSorts)),
});

export type OrderFilter = z.output<typeof orderFilterCheck>;
export type OrderNarrowing = Partial<NonNullable<OrderFilter['filter']>>;

/** Zod schemas for filtering and sorting orders. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  currencySchema,
  dateRangeFilterSchemas,
  moneySchema,
  optionalInput,
  pageArgSchemas,
} from '../../../lib/validation/input.ts';
import { orderStatuses, paymentStatuses } from '../status-transitions.ts';

/** `_DESC`: descending. Default: NEWEST. */
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
  statuses: optionalInput(z.array(z.enum(orderStatuses)).max(100)),
  paymentStatuses: optionalInput(z.array(z.enum(paymentStatuses)).max(100)),
  number: optionalInput(z.number().int()),
  customerId: optionalInput(z.string()),
  market: optionalInput(buildRequiredTextSchema(50)),
  currency: optionalInput(currencySchema),
  minTotal: optionalInput(moneySchema),
  maxTotal: optionalInput(moneySchema),
  ...dateRangeFilterSchemas,
});

export const listOrdersSchema = z.object({
  businessId: z.string(),
  ...pageArgSchemas,
  ids: optionalInput(z.array(z.string()).max(100)),
  status: optionalInput(z.enum(orderStatuses)),
  statuses: optionalInput(z.array(z.enum(orderStatuses)).max(100)),
  paymentStatus: optionalInput(z.enum(paymentStatuses)),
  customerId: optionalInput(z.string()),
  filter: optionalInput(filter),
  sort: optionalInput(z.enum(orderSorts)),
});

export type ListOrdersArgs = z.output<typeof listOrdersSchema>;
export type OrderFilterFields = Partial<NonNullable<ListOrdersArgs['filter']>>;

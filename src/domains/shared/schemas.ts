/** zod schemas shared by several domains. */
import { z } from 'zod';
import { buildRequiredTextSchema, optionalInput } from '../../lib/validation/input.ts';
import { statusActorKinds } from './model.ts';

export const buildStatusChangeSchema = <const Status extends readonly [string, ...string[]]>(
  statuses: Status,
) =>
  z.object({
    id: optionalInput(buildRequiredTextSchema(200)),
    status: z.enum(statuses),
    changedBy: optionalInput(z.enum(statusActorKinds)),
    userId: optionalInput(buildRequiredTextSchema(200)),
    timestamp: optionalInput(z.number().int().min(0)),
  });

export const buildStatusHistorySchema = <const Status extends readonly [string, ...string[]]>(
  statuses: Status,
) => z.array(buildStatusChangeSchema(statuses)).max(100, 'Must have at most 100 entries.');

/** zod schemas shared by several domains. */
import { z } from 'zod';
import { optionalInput, requiredTextSchema } from '../../lib/validation/input.ts';
import { statusActorKinds } from './model.ts';

export const statusChangeSchema = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.object({
    id: optionalInput(requiredTextSchema(200)),
    status: z.enum(statuses),
    changedBy: optionalInput(z.enum(statusActorKinds)),
    userId: optionalInput(requiredTextSchema(200)),
    timestamp: optionalInput(z.number().int().min(0)),
  });

export const statusHistorySchema = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.array(statusChangeSchema(statuses)).max(100, 'Must have at most 100 entries.');

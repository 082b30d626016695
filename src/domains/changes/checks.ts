/** What callers of the history must send. */
import { z } from 'zod';
import { optional, pageFields, text } from '../../lib/input.ts';
import { changeActors, changeKinds } from './model.ts';

const moment = optional(z.number().int().min(0).max(253_402_300_799));

export const changeListCheck = z.object({
  businessId: z.string(),
  kind: optional(z.enum(changeKinds)),
  recordId: optional(text(200)),
  actor: optional(z.enum(changeActors)),
  userId: optional(text(200)),
  since: moment,
  until: moment,
  ...pageFields,
});

export type ChangeList = z.output<typeof changeListCheck>;

/** zod schema of the audit log query. */
import { z } from 'zod';
import { optionalInput, pageFields, textSchema } from '../../lib/validation/input.ts';
import { changeActors, changeKinds } from './model.ts';

const timestamp = optionalInput(z.number().int().min(0).max(253_402_300_799));

export const listChangesSchema = z.object({
  businessId: z.string(),
  kind: optionalInput(z.enum(changeKinds)),
  recordId: optionalInput(textSchema(200)),
  actor: optionalInput(z.enum(changeActors)),
  userId: optionalInput(textSchema(200)),
  since: timestamp,
  until: timestamp,
  ...pageFields,
});

export type ListChangesArgs = z.output<typeof listChangesSchema>;

/** zod schema of the audit log query. */
import { z } from 'zod';
import { buildTextSchema, optionalInput, pageArgSchemas } from '../../lib/validation/input.ts';
import { auditActorKinds, auditedRecordKinds } from './model.ts';

const timestamp = optionalInput(z.number().int().min(0).max(253_402_300_799));

export const listAuditLogEntriesSchema = z.object({
  businessId: z.string(),
  kind: optionalInput(z.enum(auditedRecordKinds)),
  recordId: optionalInput(buildTextSchema(200)),
  actor: optionalInput(z.enum(auditActorKinds)),
  userId: optionalInput(buildTextSchema(200)),
  since: timestamp,
  until: timestamp,
  ...pageArgSchemas,
});

export type ListAuditLogEntriesArgs = z.output<typeof listAuditLogEntriesSchema>;

/** What callers must send to find people and to give them roles. */
import { z } from 'zod';
import { optional, pageFields, requiredText, text } from '../../lib/input.ts';

export const searchCheck = z.object({
  ...pageFields,
  businessId: optional(z.string()),
  query: optional(text(200)),
  roleIds: optional(z.array(z.string()).max(100)),
});
export const membersCheck = z.object({ ...pageFields, businessId: z.string() });
export const ownPageCheck = z.object(pageFields);

export const setRoleCheck = z.object({
  input: z.object({ userId: requiredText(100), roleId: requiredText(100), businessId: optional(text(100)) }),
});

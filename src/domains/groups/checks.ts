/** What callers must send to keep customer groups. */
import { z } from 'zod';
import { optional, pageFields, requiredText } from '../../lib/input.ts';

const inBusiness = { businessId: z.string() };
const inGroup = { ...inBusiness, groupId: z.string() };
const name = requiredText(200);

/** As prices name it. */
export const groupId = requiredText(100).regex(
  /^[\w.-]+$/,
  'Must be letters, digits, dashes, dots or underscores.',
);

export const groupListCheck = z.object({ ...inBusiness, ...pageFields });
export const memberListCheck = z.object({ ...inGroup, ...pageFields });

export const createGroupCheck = z.object({
  ...inBusiness,
  input: z.object({ id: optional(groupId), name }),
});

export const updateGroupCheck = z.object({
  ...inBusiness,
  id: z.string(),
  version: optional(z.number().int()),
  input: z.object({ name: optional(name) }),
});

export const addMemberCheck = z.object({ ...inGroup, input: z.object({ userId: requiredText(200) }) });

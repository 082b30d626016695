/** Validation schemas for customer group arguments. */
import { z } from 'zod';
import { buildRequiredTextSchema, optionalInput, pageArgSchemas } from '../../lib/validation/input.ts';

const inBusiness = { businessId: z.string() };
const inGroup = { ...inBusiness, groupId: z.string() };
const name = buildRequiredTextSchema(200);

/** Group id, as referenced by prices. */
const customerGroupIdSchema = buildRequiredTextSchema(100).regex(
  /^[\w.-]+$/,
  'Must be letters, digits, dashes, dots or underscores.',
);

export const listCustomerGroupsSchema = z.object({ ...inBusiness, ...pageArgSchemas });
export const listGroupMembersSchema = z.object({ ...inGroup, ...pageArgSchemas });

export const createCustomerGroupSchema = z.object({
  ...inBusiness,
  input: z.object({ id: optionalInput(customerGroupIdSchema), name }),
});

export const updateCustomerGroupSchema = z.object({
  ...inBusiness,
  id: z.string(),
  version: optionalInput(z.number().int()),
  input: z.object({ name: optionalInput(name) }),
});

export const addGroupMemberSchema = z.object({
  ...inGroup,
  input: z.object({ userId: buildRequiredTextSchema(200) }),
});

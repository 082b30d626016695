/** Zod schemas of user search, member lists and role assignment. */
import { z } from 'zod';
import {
  optionalInput,
  pageArgSchemas,
  requiredTextSchema,
  textSchema,
} from '../../../lib/validation/input.ts';

export const searchUsersSchema = z.object({
  ...pageArgSchemas,
  businessId: optionalInput(z.string()),
  query: optionalInput(textSchema(200)),
  roleIds: optionalInput(z.array(z.string()).max(100)),
});
export const businessStaffListSchema = z.object({ ...pageArgSchemas, businessId: z.string() });
export const pageArgsSchema = z.object(pageArgSchemas);

export const setRoleSchema = z.object({
  input: z.object({
    userId: requiredTextSchema(100),
    roleId: requiredTextSchema(100),
    businessId: optionalInput(textSchema(100)),
  }),
});

/** Zod schemas of user search, member lists and role assignment. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  optionalInput,
  pageArgSchemas,
  refineFormerNameEqual,
} from '../../../lib/validation/input.ts';

export const searchUsersSchema = z
  .object({
    ...pageArgSchemas,
    businessId: optionalInput(z.string()),
    query: optionalInput(buildTextSchema(200)),
    search: optionalInput(buildTextSchema(200)),
    roleIds: optionalInput(z.array(z.string()).max(100)),
  })
  .superRefine(refineFormerNameEqual('search', 'query'));
export const listBusinessStaffSchema = z.object({ ...pageArgSchemas, businessId: z.string() });
export const paginationOnlyArgsSchema = z.object(pageArgSchemas);

export const setRoleSchema = z.object({
  input: z.object({
    userId: buildRequiredTextSchema(100),
    roleId: buildRequiredTextSchema(100),
    businessId: optionalInput(buildTextSchema(100)),
  }),
});

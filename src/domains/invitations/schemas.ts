/** Zod schemas of invitations. */
import { z } from 'zod';
import { buildRequiredTextSchema, pageArgSchemas } from '../../lib/validation/input.ts';
import { emailSchema } from '../users/schemas.ts';

export const listInvitationsSchema = z.object({ businessId: z.string(), ...pageArgSchemas });

export const inviteMemberSchema = z.object({
  businessId: z.string(),
  input: z.object({ email: emailSchema, roleId: buildRequiredTextSchema(100) }),
});

export const acceptInvitationSchema = z.object({ token: buildRequiredTextSchema(200) });

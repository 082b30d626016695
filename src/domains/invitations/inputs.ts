/** GraphQL inputs of invitations. Validation rules are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';

export const InviteMemberInput = builder.inputType('InviteMemberInput', {
  description: 'An invitation to become a member of a business.',
  fields: (t) => ({
    email: t.string({
      required: true,
      description: 'Address that the mail is sent to. Letter case does not matter.',
    }),
    roleId: t.id({ required: true, description: 'Role of the business that the new member gets.' }),
  }),
});

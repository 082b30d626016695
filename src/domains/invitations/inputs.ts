/** GraphQL inputs of invitations. Validation rules are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const InviteMemberInput = builder.inputType('InviteMemberInput', {
  description: 'An invitation to become a member of a business.',
  fields: inputFields({
    email: ['String!', 'Address that the mail is sent to. Letter case does not matter.'],
    roleId: ['ID!', 'Role of the business that the new member gets.'],
  }),
});

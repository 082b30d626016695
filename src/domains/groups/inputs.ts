/** GraphQL input types of customer groups. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';

export const CreateCustomerGroupInput = builder.inputType('CreateCustomerGroupInput', {
  description: 'A new customer group.',
  fields: (t) => ({
    id: t.id({ description: 'Id, such as `wholesale`. Default: derived from the name.' }),
    name: t.string({ required: true, description: 'Name of the group. Shown to members with its prices.' }),
  }),
});

export const UpdateCustomerGroupInput = builder.inputType('UpdateCustomerGroupInput', {
  description: 'Fields to change. The id cannot be changed.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the group. Shown to members with its prices.' }),
  }),
});

export const AddCustomerGroupMemberInput = builder.inputType('AddCustomerGroupMemberInput', {
  description: 'User to add to a group.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'Id of a customer or staff member of the business.' }),
  }),
});

/** GraphQL input types of customer groups. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';

export const CreateCustomerGroupInput = builder.inputType('CreateCustomerGroupInput', {
  description: 'A new customer group.',
  fields: inputFields({
    id: ['ID', 'Id, such as `wholesale`. Default: derived from the name.'],
    name: ['String!', 'Name of the group. Shown to members with its prices.'],
  }),
});

export const UpdateCustomerGroupInput = builder.inputType('UpdateCustomerGroupInput', {
  description: 'Fields to change. The id cannot be changed.',
  fields: inputFields({ name: ['String', 'Name of the group. Shown to members with its prices.'] }),
});

export const AddCustomerGroupMemberInput = builder.inputType('AddCustomerGroupMemberInput', {
  description: 'User to add to a group.',
  fields: inputFields({ userId: ['ID!', 'Id of a customer or staff member of the business.'] }),
});

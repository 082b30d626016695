/** GraphQL inputs of customer groups. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';

export const CreateCustomerGroupInput = builder.inputType('CreateCustomerGroupInput', {
  description: 'A new customer group.',
  fields: (t) => ({
    id: t.id({ description: 'Id, such as `wholesale`. Made from the name when absent.' }),
    name: t.string({ required: true, description: 'Name. Members see it where its price applies.' }),
  }),
});

export const UpdateCustomerGroupInput = builder.inputType('UpdateCustomerGroupInput', {
  description: 'The fields to change. An id stays what it is.',
  fields: (t) => ({ name: t.string({ description: 'What members see where its price applies.' }) }),
});

export const AddCustomerGroupMemberInput = builder.inputType('AddCustomerGroupMemberInput', {
  description: 'Somebody to put into a group.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'Somebody who bought from the business or works for it.' }),
  }),
});

/** GraphQL mutations of customer groups. Groups need PRODUCTS_WRITE, their members ORDERS_WRITE. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { AddCustomerGroupMemberInput, CreateCustomerGroupInput, UpdateCustomerGroupInput } from './inputs.ts';
import { createCustomerGroup, deleteCustomerGroup, updateCustomerGroup } from './manage-customer-groups.ts';
import { addGroupMember, removeGroupMember } from './manage-group-members.ts';
import { addGroupMemberSchema, createCustomerGroupSchema, updateCustomerGroupSchema } from './schemas.ts';
import { CustomerGroupGraphqlType, CustomerGroupMemberGraphqlType } from './types.ts';

const GroupPayload = createPayloadType('CustomerGroupPayload', 'customerGroup', CustomerGroupGraphqlType);
const MemberPayload = createPayloadType(
  'CustomerGroupMemberPayload',
  'member',
  CustomerGroupMemberGraphqlType,
);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id of the group.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createCustomerGroup: t.field({
      type: GroupPayload,
      description: 'Creates a customer group. Needs PRODUCTS_WRITE.',
      authScopes: permissionInBusinessScope('PRODUCTS_WRITE'),
      args: { businessId, ...inputArg(CreateCustomerGroupInput, 'The group.') },
      ...validatedField(createCustomerGroupSchema, asPayload('customerGroup', createCustomerGroup)),
    }),
    updateCustomerGroup: t.field({
      type: GroupPayload,
      description: 'Renames a customer group. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Customer group'),
      args: { businessId, id, version, ...inputArg(UpdateCustomerGroupInput, 'The changes.') },
      ...validatedField(updateCustomerGroupSchema, asPayload('customerGroup', updateCustomerGroup)),
    }),
    deleteCustomerGroup: t.field({
      type: DeletedPayload,
      description: 'Deletes a customer group. Prices for the group no longer apply. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Customer group'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteCustomerGroup(ctx, args),
    }),
    addCustomerGroupMember: t.field({
      type: MemberPayload,
      description:
        'Adds a user to a customer group; no change if they are already a member. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Customer group'),
      args: { businessId, groupId: id, ...inputArg(AddCustomerGroupMemberInput, 'The user.') },
      ...validatedField(addGroupMemberSchema, asPayload('member', addGroupMember)),
    }),
    removeCustomerGroupMember: t.field({
      type: DeletedPayload,
      description: 'Removes a user from a customer group. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Customer group'),
      args: fieldArgs({ businessId, groupId: id, userId: ['ID!', 'Id of the user.'] }),
      resolve: (_root, args, ctx) => removeGroupMember(ctx, args),
    }),
  };
});

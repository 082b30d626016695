/** GraphQL queries of customer groups. Groups need PRODUCTS_WRITE or ORDERS_READ, their members ORDERS_READ. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findCustomerGroup, listCustomerGroups } from './manage-customer-groups.ts';
import { listGroupMembers } from './manage-group-members.ts';
import { listCustomerGroupsSchema, listGroupMembersSchema } from './schemas.ts';
import { CustomerGroupConnection, CustomerGroupGraphqlType, CustomerGroupMemberConnection } from './types.ts';

const readers = ['PRODUCTS_WRITE', 'ORDERS_READ'] as const;

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  return {
    customerGroup: t.field({
      type: CustomerGroupGraphqlType,
      nullable: true,
      description:
        'A customer group by id; null when it does not exist. Needs PRODUCTS_WRITE or ORDERS_READ.',
      authScopes: permissionOnRecordScope(readers, 'Customer group'),
      args: fieldArgs({ businessId, id: ['ID!', 'Id of the group.'] }),
      resolve: (_root, args, ctx) => findCustomerGroup(ctx, args),
    }),
    customerGroups: t.field({
      type: CustomerGroupConnection,
      description: 'Customer groups of a business. Needs PRODUCTS_WRITE or ORDERS_READ.',
      authScopes: permissionInBusinessScope(readers),
      complexity: estimateListCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listCustomerGroupsSchema, listCustomerGroups),
    }),
    customerGroupMembers: t.field({
      type: CustomerGroupMemberConnection,
      description: 'Members of a customer group. Needs ORDERS_READ.',
      authScopes: permissionOnRecordScope('ORDERS_READ', 'Customer group'),
      complexity: estimateListCost,
      args: fieldArgs({ businessId, groupId: ['ID!', 'Id of the group.'], ...pageArgs }),
      ...validatedField(listGroupMembersSchema, listGroupMembers),
    }),
  };
});

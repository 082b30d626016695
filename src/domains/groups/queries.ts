/** Queries of customer groups. Groups are a part of prices, who is in them is known to those who read orders. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { groupListCheck, memberListCheck } from './checks.ts';
import { findGroup, listGroups } from './groups.ts';
import { listMembers } from './members.ts';
import { CustomerGroupConnection, CustomerGroupMemberConnection, CustomerGroupType } from './types.ts';

const readers = ['PRODUCTS_WRITE', 'ORDERS_READ'] as const;

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    customerGroup: t.field({
      type: CustomerGroupType,
      nullable: true,
      description: 'One customer group by the id that prices name. Needs PRODUCTS_WRITE or ORDERS_READ.',
      authScopes: onRecord(readers, 'Customer group'),
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the group.' }) },
      resolve: (_root, args, ctx) => findGroup(ctx, args),
    }),
    customerGroups: t.field({
      type: CustomerGroupConnection,
      description: 'The customer groups of a business. Needs PRODUCTS_WRITE or ORDERS_READ.',
      authScopes: inBusiness(readers),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...checked(groupListCheck, (args, ctx) => listGroups(ctx, args)),
    }),
    customerGroupMembers: t.field({
      type: CustomerGroupMemberConnection,
      description: 'Who is in a customer group. Needs ORDERS_READ.',
      authScopes: onRecord('ORDERS_READ', 'Customer group'),
      complexity: listCost,
      args: {
        businessId,
        groupId: t.arg.id({ required: true, description: 'Id of the group.' }),
        ...pageArgs,
      },
      ...checked(memberListCheck, (args, ctx) => listMembers(ctx, args)),
    }),
  };
});

/** REST routes below `/v1/businesses/{businessId}/customer-groups`. */
import * as operations from '../../generated/operations.ts';
import {
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const groups = '/v1/businesses/:businessId/customer-groups';
const group = `${groups}/:id` as const;
const members = `${groups}/:groupId/members` as const;

export const routes = [
  definePostRoute(groups, operations.CreateCustomerGroupDocument),
  defineListRoute(groups, operations.ListCustomerGroupsDocument),
  defineGetRoute(group, operations.GetCustomerGroupDocument, { recordName: 'Customer group' }),
  ...defineUpdateRoutes(group, operations.UpdateCustomerGroupDocument),
  defineDeleteRoute(group, operations.DeleteCustomerGroupDocument),

  definePostRoute(members, operations.AddCustomerGroupMemberDocument),
  defineListRoute(members, operations.ListCustomerGroupMembersDocument),
  defineDeleteRoute(`${members}/:userId`, operations.RemoveCustomerGroupMemberDocument),
];

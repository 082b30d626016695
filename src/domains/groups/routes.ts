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
  definePostRoute(groups, operations.CreateCustomerGroupDocument, {
    response: 'createCustomerGroup.customerGroup',
  }),
  defineListRoute(groups, operations.ListCustomerGroupsDocument, { response: 'customerGroups' }),
  defineGetRoute(group, operations.GetCustomerGroupDocument, {
    response: 'customerGroup',
    recordName: 'Customer group',
  }),
  ...defineUpdateRoutes(group, operations.UpdateCustomerGroupDocument, {
    response: 'updateCustomerGroup.customerGroup',
  }),
  defineDeleteRoute(group, operations.DeleteCustomerGroupDocument, { response: 'deleteCustomerGroup' }),

  definePostRoute(members, operations.AddCustomerGroupMemberDocument, {
    response: 'addCustomerGroupMember.member',
  }),
  defineListRoute(members, operations.ListCustomerGroupMembersDocument, { response: 'customerGroupMembers' }),
  defineDeleteRoute(`${members}/:userId`, operations.RemoveCustomerGroupMemberDocument, {
    response: 'removeCustomerGroupMember',
  }),
];

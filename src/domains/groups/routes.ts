/** REST routes below `/v1/businesses/{businessId}/customer-groups`. */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const groups = '/v1/businesses/:businessId/customer-groups';
const group = `${groups}/:id` as const;
const members = `${groups}/:groupId/members` as const;

export const routes = [
  postRoute(groups, operations.CreateCustomerGroupDocument, {
    response: 'createCustomerGroup.customerGroup',
  }),
  listRoute(groups, operations.ListCustomerGroupsDocument, { response: 'customerGroups' }),
  getRoute(group, operations.GetCustomerGroupDocument, {
    response: 'customerGroup',
    recordName: 'Customer group',
  }),
  putRoute(group, operations.UpdateCustomerGroupDocument, { response: 'updateCustomerGroup.customerGroup' }),
  deleteRoute(group, operations.DeleteCustomerGroupDocument, { response: 'deleteCustomerGroup' }),

  postRoute(members, operations.AddCustomerGroupMemberDocument, {
    response: 'addCustomerGroupMember.member',
  }),
  listRoute(members, operations.ListCustomerGroupMembersDocument, { response: 'customerGroupMembers' }),
  deleteRoute(`${members}/:userId`, operations.RemoveCustomerGroupMemberDocument, {
    response: 'removeCustomerGroupMember',
  }),
];

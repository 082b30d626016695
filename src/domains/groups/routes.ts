/** `/v1/businesses/{businessId}/customer-groups`. */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const groups = '/v1/businesses/:businessId/customer-groups';
const group = `${groups}/:id` as const;
const members = `${groups}/:groupId/members` as const;

export const routes = [
  postRoute(groups, operations.CreateCustomerGroupDocument, { answer: 'createCustomerGroup.customerGroup' }),
  listRoute(groups, operations.ListCustomerGroupsDocument, { answer: 'customerGroups' }),
  getRoute(group, operations.GetCustomerGroupDocument, {
    answer: 'customerGroup',
    missing: 'Customer group',
  }),
  putRoute(group, operations.UpdateCustomerGroupDocument, { answer: 'updateCustomerGroup.customerGroup' }),
  deleteRoute(group, operations.DeleteCustomerGroupDocument, { answer: 'deleteCustomerGroup' }),

  postRoute(members, operations.AddCustomerGroupMemberDocument, { answer: 'addCustomerGroupMember.member' }),
  listRoute(members, operations.ListCustomerGroupMembersDocument, { answer: 'customerGroupMembers' }),
  deleteRoute(`${members}/:userId`, operations.RemoveCustomerGroupMemberDocument, {
    answer: 'removeCustomerGroupMember',
  }),
];

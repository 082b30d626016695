/** `/v1/businesses/{businessId}/customer-groups`. */
import * as operations from '../../generated/operations.ts';
import { create, get, list, remove, update } from '../../rest/row.ts';

const groups = '/v1/businesses/:businessId/customer-groups';
const group = `${groups}/:id` as const;
const members = `${groups}/:groupId/members` as const;

export const routes = [
  create(groups, operations.CreateCustomerGroupDocument, { answer: 'createCustomerGroup.customerGroup' }),
  list(groups, operations.ListCustomerGroupsDocument, { answer: 'customerGroups' }),
  get(group, operations.GetCustomerGroupDocument, { answer: 'customerGroup', missing: 'Customer group' }),
  update(group, operations.UpdateCustomerGroupDocument, { answer: 'updateCustomerGroup.customerGroup' }),
  remove(group, operations.DeleteCustomerGroupDocument, { answer: 'deleteCustomerGroup' }),

  create(members, operations.AddCustomerGroupMemberDocument, { answer: 'addCustomerGroupMember.member' }),
  list(members, operations.ListCustomerGroupMembersDocument, { answer: 'customerGroupMembers' }),
  remove(`${members}/:userId`, operations.RemoveCustomerGroupMemberDocument, {
    answer: 'removeCustomerGroupMember',
  }),
];

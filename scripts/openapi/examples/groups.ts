/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'CustomerGroup.id': 'wholesale',
  'CustomerGroup.name': 'Wholesale',
  'CustomerGroupMember.name': 'Ada Lovelace',
  'OwnCustomerGroup.name': 'Wholesale',
  'GroupPrice.groupId': 'wholesale',
  'Applied.group': 'Wholesale',
};

/** OpenAPI example values for fields of customer groups, by GraphQL coordinate. */
export const fields = {
  'CustomerGroup.id': 'wholesale',
  'CustomerGroup.name': 'Wholesale',
  'CustomerGroupMember.name': 'Ada Lovelace',
  'OwnCustomerGroup.name': 'Wholesale',
  'GroupPrice.groupId': 'wholesale',
  'Applied.group': 'Wholesale',
};

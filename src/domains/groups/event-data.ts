/** What the events of customer groups carry. */
import {
  businessIdField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const group = eventDataSchema('CustomerGroup', 'A customer group, as it was after the change.', {
  id: textField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdField,
  name: textField('Its name.', 'Wholesale'),
  version: versionField,
});

const member = eventDataSchema('CustomerGroupMember', 'Who came or went.', {
  id: textField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdField,
  userId: idField('The member.'),
});

export const eventData = {
  'customer_group.created': group,
  'customer_group.updated': group,
  'customer_group.deleted': group,
  'customer_group.member_added': member,
  'customer_group.member_removed': member,
};

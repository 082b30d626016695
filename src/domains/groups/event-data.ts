/** Payload schemas of customer group events. */
import {
  businessIdField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const group = eventDataSchema('CustomerGroup', 'Customer group after the change.', {
  id: textField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdField,
  name: textField('Name of the group.', 'Wholesale'),
  version: versionField,
});

const member = eventDataSchema('CustomerGroupMember', 'Member that was added or removed.', {
  id: textField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdField,
  userId: idField('User id of the member.'),
});

export const eventData = {
  'customer_group.created': group,
  'customer_group.updated': group,
  'customer_group.deleted': group,
  'customer_group.member_added': member,
  'customer_group.member_removed': member,
};

/** Payload schemas of customer group events. */
import {
  businessIdEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineTextEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const group = defineEventDataSchema('CustomerGroup', 'Customer group after the change.', {
  id: defineTextEventField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdEventField,
  name: defineTextEventField('Name of the group.', 'Wholesale'),
  version: versionEventField,
});

const member = defineEventDataSchema('CustomerGroupMember', 'Member that was added or removed.', {
  id: defineTextEventField('Id of the group, chosen by the business.', 'wholesale'),
  businessId: businessIdEventField,
  userId: defineIdEventField('User id of the member.'),
});

export const eventDataSchemas = {
  'customer_group.created': group,
  'customer_group.updated': group,
  'customer_group.deleted': group,
  'customer_group.member_added': member,
  'customer_group.member_removed': member,
};

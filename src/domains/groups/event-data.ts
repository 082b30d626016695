/** What the events of customer groups carry. */
import { businessId, data, id, text, version } from '../../lib/event-shapes.ts';

const group = data('CustomerGroup', 'A customer group, as it was after the change.', {
  id: text('Id of the group, chosen by the business.', 'wholesale'),
  businessId,
  name: text('Its name.', 'Wholesale'),
  version,
});

const member = data('CustomerGroupMember', 'Who came or went.', {
  id: text('Id of the group, chosen by the business.', 'wholesale'),
  businessId,
  userId: id('The member.'),
});

export const eventData = {
  'customer_group.created': group,
  'customer_group.updated': group,
  'customer_group.deleted': group,
  'customer_group.member_added': member,
  'customer_group.member_removed': member,
};

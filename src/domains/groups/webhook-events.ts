/** Webhook events of customer groups. Read by scripts/gather.ts. */

export const webhookEvents = {
  'customer_group.created': 'A customer group was created.',
  'customer_group.updated': 'A customer group was renamed. Not sent when its members change.',
  'customer_group.deleted': 'A customer group was deleted. Prices for the group no longer apply.',
  'customer_group.member_added': 'A user was added to a customer group.',
  'customer_group.member_removed':
    'A user was removed from a customer group. Not sent when the group is deleted.',
};

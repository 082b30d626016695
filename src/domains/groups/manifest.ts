/** The words that customer groups add to the lists of the gateway. */
export const webhookEvents = {
  'customer_group.created': 'A customer group was created.',
  'customer_group.updated': 'A customer group was renamed. Who is in it does not count.',
  'customer_group.deleted': 'A customer group was deleted: prices for it are for nobody from now on.',
  'customer_group.member_added': 'Somebody was put into a customer group.',
  'customer_group.member_removed': 'Somebody was taken out of a customer group that goes on.',
};

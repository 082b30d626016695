/** The words that customer groups add to the lists of the gateway. */
export const webhookEvents = {
  'customer_group.created': 'A customer group was created.',
  'customer_group.updated': 'A customer group was renamed. Who is in it does not count.',
  'customer_group.deleted': 'A customer group was deleted: prices for it are for nobody from now on.',
};

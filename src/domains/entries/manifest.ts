/** The words that entries add to the lists of the gateway. */
export const webhookEvents = {
  'entry.created': 'An entry was created.',
  'entry.updated': 'An entry was changed.',
  'entry.deleted': 'An entry was deleted by itself; with its collection it goes silently.',
};

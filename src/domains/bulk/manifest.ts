/** The words that imports and exports add to the lists of the gateway. */
export const webhookEvents = {
  'bulk.finished': 'An import or export is done, or could not go on.',
};

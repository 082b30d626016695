/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Collection.name': 'Journal',
  'Collection.slug': 'journal',
  'Plan.name': 'Monthly',
};

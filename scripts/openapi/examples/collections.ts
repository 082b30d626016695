/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Collection.name': 'Journal',
  'Collection.slug': 'journal',
  'Plan.name': 'Monthly',
  'Collection.type': 'NEWSLETTER',
  'Plan.description': 'One letter a month.',
  'PlanPrice.currency': 'usd',
  'PlanPrice.interval': 'MONTHLY',
};

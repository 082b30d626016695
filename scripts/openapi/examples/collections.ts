/** OpenAPI example values for fields of collections and plans, by GraphQL coordinate. */
export const fields = {
  'Collection.name': 'Journal',
  'Collection.slug': 'journal',
  'Plan.name': 'Monthly',
  'Collection.type': 'NEWSLETTER',
  'Plan.description': 'One letter a month.',
  'PlanPrice.currency': 'usd',
  'PlanPrice.interval': 'MONTHLY',
};

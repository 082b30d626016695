/** OpenAPI example values for fields of subscriptions, by GraphQL coordinate. */
export const fields = {
  'Subscription.email': 'ada@people.example',
  'Subscription.name': 'Ada Lovelace',
  'Subscription.entity': 'collection:01900000-0000-7000-8000-000000000001',
};

/** OpenAPI example values for fields of subscriptions, by GraphQL coordinate. */
export const fields = {
  'NewsletterSubscription.email': 'ada@people.example',
  'NewsletterSubscription.name': 'Ada Lovelace',
  'NewsletterSubscription.entity': 'collection:01900000-0000-7000-8000-000000000001',
};

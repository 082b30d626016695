/** Webhook events of categories. Read by scripts/gather.ts. */

export const webhookEvents = {
  'category.created': 'A category was created.',
  'category.updated': 'A category was changed or moved.',
  'category.deleted': 'A category was deleted. Its products keep their text in `category`.',
};

/** Payload schemas of the webhook events of categories, and their builder. */
import {
  businessIdEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineTextEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';
import type { WebhookEvent } from '../webhooks/webhook-event-types.ts';
import type { Category } from './model.ts';

const category = defineEventDataSchema(
  'Category',
  'The category after the change; for category.deleted, before it.',
  {
    id: defineIdEventField('Id of the category.'),
    businessId: businessIdEventField,
    parentId: defineIdEventField('Id of the parent; absent at the top level.').optional(),
    slug: defineTextEventField('Slug, which its products have as `category`.', 'coffee'),
    name: defineTextEventField('Name.', 'Coffee'),
    version: versionEventField,
  },
);

export const eventDataSchemas = {
  'category.created': category,
  'category.updated': category,
  'category.deleted': category,
};

export const buildCategoryEvent = (
  type: keyof typeof eventDataSchemas,
  { id, businessId, parentId, slug, name, version }: Category,
): WebhookEvent => ({ type, data: { id, businessId, parentId, slug, name, version } });

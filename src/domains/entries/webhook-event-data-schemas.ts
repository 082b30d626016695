/** Payload schema of entry events. */
import {
  businessIdEventField,
  defineEnumEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineTextEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const entry = defineEventDataSchema('Entry', 'Entry after the change.', {
  id: defineIdEventField('Id of the entry.'),
  businessId: businessIdEventField,
  owner: defineTextEventField(
    'Owner: `collection:<id>`, `order:<id>` or `reservation:<id>`.',
    'reservation:7',
  ),
  collectionId: defineIdEventField(
    'Id of the owning collection. Absent when an order or a reservation owns the entry.',
  ).optional(),
  locale: defineTextEventField('Locale of the entry.', 'en'),
  slug: defineTextEventField('Slug in the locale of the entry. Absent when it has none.', 'hello').optional(),
  status: defineEnumEventField('ContentStatus', 'Current status.', 'PUBLISHED'),
  version: versionEventField,
});

export const eventDataSchemas = { 'entry.created': entry, 'entry.updated': entry, 'entry.deleted': entry };

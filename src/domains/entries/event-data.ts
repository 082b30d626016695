/** Payload schema of entry events. */
import {
  businessIdEventField,
  defineEventDataSchema,
  enumEventField,
  idEventField,
  textEventField,
  versionEventField,
} from '../../lib/validation/event-fields.ts';

const entry = defineEventDataSchema('Entry', 'Entry after the change.', {
  id: idEventField('Id of the entry.'),
  businessId: businessIdEventField,
  owner: textEventField('Owner: `collection:<id>`, `order:<id>` or `reservation:<id>`.', 'reservation:7'),
  collectionId: idEventField(
    'Id of the owning collection. Absent when an order or a reservation owns the entry.',
  ).optional(),
  locale: textEventField('Locale of the entry.', 'en'),
  slug: textEventField('Slug in the locale of the entry. Absent when it has none.', 'hello').optional(),
  status: enumEventField('ContentStatus', 'Current status.', 'PUBLISHED'),
  version: versionEventField,
});

export const eventData = { 'entry.created': entry, 'entry.updated': entry, 'entry.deleted': entry };

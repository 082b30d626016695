/** Payload schema of entry events. */
import {
  businessIdField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const entry = eventDataSchema('Entry', 'Entry after the change.', {
  id: idField('Id of the entry.'),
  businessId: businessIdField,
  owner: textField('Owner: `collection:<id>`, `order:<id>` or `reservation:<id>`.', 'reservation:7'),
  collectionId: idField(
    'Id of the owning collection. Absent when an order or a reservation owns the entry.',
  ).optional(),
  locale: textField('Locale of the entry.', 'en'),
  slug: textField('Slug in the locale of the entry. Absent when it has none.', 'hello').optional(),
  status: enumField('ContentStatus', 'Current status.', 'PUBLISHED'),
  version: versionField,
});

export const eventData = { 'entry.created': entry, 'entry.updated': entry, 'entry.deleted': entry };

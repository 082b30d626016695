/** What the events of entries carry. */
import {
  businessIdField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const entry = eventDataSchema('Entry', 'An entry, as it was after the change.', {
  id: idField('Id of the entry.'),
  businessId: businessIdField,
  owner: textField(
    'What it belongs to: `collection:` and an id, or what a business made up.',
    'reservation:7',
  ),
  collectionId: idField('Its collection, if it belongs to one.').optional(),
  locale: textField('Its locale.', 'en'),
  slug: textField('Its slug in its own locale.', 'hello').optional(),
  status: enumField('ContentStatus', 'Its current status.', 'PUBLISHED'),
  version: versionField,
});

export const eventData = { 'entry.created': entry, 'entry.updated': entry, 'entry.deleted': entry };

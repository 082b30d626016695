/** What the events of entries carry. */
import { businessId, data, id, oneOf, text, version } from '../../lib/event-shapes.ts';

const entry = data('Entry', 'An entry, as it was after the change.', {
  id: id('Id of the entry.'),
  businessId,
  owner: text('What it belongs to: `collection:` and an id, or what a business made up.', 'reservation:7'),
  collectionId: id('Its collection, if it belongs to one.').optional(),
  locale: text('Its locale.', 'en'),
  slug: text('Its slug in its own locale.', 'hello').optional(),
  status: oneOf('ContentStatus', 'Its current status.', 'PUBLISHED'),
  version,
});

export const eventData = { 'entry.created': entry, 'entry.updated': entry, 'entry.deleted': entry };

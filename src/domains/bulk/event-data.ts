/** What the events of imports and exports carry. */
import { businessId, data, id, oneOf } from '../../lib/event-shapes.ts';

export const eventData = {
  'bulk.finished': data('BulkFinished', 'An import or export that has ended.', {
    id: id('Id of the operation.'),
    businessId,
    kind: oneOf('BulkKind', 'Which way records went.', 'IMPORT'),
    resource: oneOf('BulkResource', 'What they were.', 'PRODUCTS'),
    state: oneOf('BulkState', 'How it ended: COMPLETED or FAILED.', 'COMPLETED'),
  }),
};

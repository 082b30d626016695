/** What the events of imports and exports carry. */
import { businessIdField, enumField, eventDataSchema, idField } from '../../lib/validation/event-fields.ts';

export const eventData = {
  'bulk.finished': eventDataSchema('BulkFinished', 'An import or export that has ended.', {
    id: idField('Id of the operation.'),
    businessId: businessIdField,
    kind: enumField('BulkKind', 'Which way records went.', 'IMPORT'),
    resource: enumField('BulkResource', 'What they were.', 'PRODUCTS'),
    state: enumField('BulkState', 'How it ended: COMPLETED or FAILED.', 'COMPLETED'),
  }),
};

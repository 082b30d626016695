/** Payloads of the webhook events of imports and exports. */
import { businessIdField, enumField, eventDataSchema, idField } from '../../lib/validation/event-fields.ts';

export const eventData = {
  'bulk.finished': eventDataSchema('BulkFinished', 'Finished import or export.', {
    id: idField('Id of the operation.'),
    businessId: businessIdField,
    kind: enumField('BulkKind', 'Direction: IMPORT or EXPORT.', 'IMPORT'),
    resource: enumField('BulkResource', 'Type of the records.', 'PRODUCTS'),
    state: enumField('BulkState', 'Final state: COMPLETED or FAILED.', 'COMPLETED'),
  }),
};

/** Payloads of the webhook events of imports and exports. */
import {
  businessIdEventField,
  defineEventDataSchema,
  enumEventField,
  idEventField,
} from '../../lib/validation/event-fields.ts';

export const eventData = {
  'bulk.finished': defineEventDataSchema('BulkFinished', 'Finished import or export.', {
    id: idEventField('Id of the operation.'),
    businessId: businessIdEventField,
    kind: enumEventField('BulkKind', 'Direction: IMPORT or EXPORT.', 'IMPORT'),
    resource: enumEventField('BulkResource', 'Type of the records.', 'PRODUCTS'),
    state: enumEventField('BulkState', 'Final state: COMPLETED or FAILED.', 'COMPLETED'),
  }),
};

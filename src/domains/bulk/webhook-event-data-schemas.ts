/** Payloads of the webhook events of imports and exports. */
import {
  businessIdEventField,
  defineEnumEventField,
  defineEventDataSchema,
  defineIdEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

export const eventDataSchemas = {
  'bulk.finished': defineEventDataSchema('BulkFinished', 'Finished import or export.', {
    id: defineIdEventField('Id of the operation.'),
    businessId: businessIdEventField,
    kind: defineEnumEventField('BulkKind', 'Direction: IMPORT or EXPORT.', 'IMPORT'),
    resource: defineEnumEventField('BulkResource', 'Type of the records.', 'PRODUCTS'),
    state: defineEnumEventField('BulkState', 'Final state: COMPLETED or FAILED.', 'COMPLETED'),
  }),
};

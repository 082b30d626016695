/** Payload schema of the test event. */
import { businessIdField, eventDataSchema, idField } from '../../lib/validation/event-fields.ts';

export const eventData = {
  'webhook.test': eventDataSchema('WebhookTest', 'Test event, sent on request.', {
    businessId: businessIdField,
    endpointId: idField('Id of the endpoint.'),
  }),
};

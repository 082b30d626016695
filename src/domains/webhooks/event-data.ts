/** What the event carries that is sent to try an endpoint. */
import { businessIdField, eventDataSchema, idField } from '../../lib/validation/event-fields.ts';

export const eventData = {
  'webhook.test': eventDataSchema('WebhookTest', 'Nothing happened: somebody tries the endpoint.', {
    businessId: businessIdField,
    endpointId: idField('The endpoint.'),
  }),
};

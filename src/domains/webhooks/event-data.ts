/** Payload schema of the test event. */
import {
  businessIdEventField,
  defineEventDataSchema,
  idEventField,
} from '../../lib/validation/event-fields.ts';

export const eventData = {
  'webhook.test': defineEventDataSchema('WebhookTest', 'Test event, sent on request.', {
    businessId: businessIdEventField,
    endpointId: idEventField('Id of the endpoint.'),
  }),
};

/** Payload schema of the test event. */
import {
  businessIdEventField,
  defineEventDataSchema,
  defineIdEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

export const eventDataSchemas = {
  'webhook.test': defineEventDataSchema('WebhookTest', 'Test event, sent on request.', {
    businessId: businessIdEventField,
    endpointId: defineIdEventField('Id of the endpoint.'),
  }),
};

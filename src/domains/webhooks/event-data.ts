/** What the event carries that is sent to try an endpoint. */
import { businessId, data, id } from '../../lib/event-shapes.ts';

export const eventData = {
  'webhook.test': data('WebhookTest', 'Nothing happened: somebody tries the endpoint.', {
    businessId,
    endpointId: id('The endpoint.'),
  }),
};

/** Webhook endpoint for payment providers. The raw body is passed on unparsed, because the signature covers every byte. */
import type { Services } from '../context.ts';
import { receivePaymentWebhook } from '../domains/payments/receive-payment-event.ts';
import { jsonResponse } from '../http-message.ts';
import type { Endpoint } from './endpoint-route.ts';

const maxBytes = 1024 * 1024;

export const createPaymentWebhookEndpoint = (services: Services): Endpoint => ({
  path: `/v1/payments/webhooks/${services.payments.provider}`,
  methods: ['POST'],
  async handle(request) {
    await receivePaymentWebhook(services, await request.body(maxBytes), request.header);
    return jsonResponse(200, { received: true });
  },
});

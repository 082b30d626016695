/** Where payment providers report: the body is passed on as it came, because its signature covers every byte. */
import { receiveWebhook } from '../domains/checkout/payment-events.ts';
import type { Services } from '../graphql/context.ts';
import type { Hook } from './dispatch.ts';
import { json } from './message.ts';

const maxBytes = 1024 * 1024;

export const paymentWebhooks = (services: Services): [string, Hook][] => [
  [
    `POST /v1/payments/webhooks/${services.payments.provider}`,
    async (request) => {
      await receiveWebhook(services, await request.body(maxBytes), request.header);
      return json(200, { received: true });
    },
  ],
];

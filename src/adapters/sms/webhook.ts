/** SMS adapter that posts `{to, text}` to the webhook in SMS_WEBHOOK_URL. */
import type { SmsSender } from '../../ports/sms.ts';
import { postToSmsService } from './http-post-of-sms-adapters.ts';

export const createWebhookSmsSender = (url: string): SmsSender => ({
  embedded: false,
  send: ({ to, text, messageId }) =>
    postToSmsService(url, {
      headers: { 'content-type': 'application/json', 'idempotency-key': messageId },
      body: JSON.stringify({ to, text }),
    }),
});

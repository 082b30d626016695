/** SMS adapter that posts `{to, text}` to the webhook in SMS_WEBHOOK_URL. */
import type { Sms } from '../../ports/sms.ts';
import { postSms } from './post-sms.ts';

export const createWebhookSms = (url: string): Sms => ({
  embedded: false,
  send: ({ to, text, messageId }) =>
    postSms(url, {
      headers: { 'content-type': 'application/json', 'idempotency-key': messageId },
      body: JSON.stringify({ to, text }),
    }),
});

/** Texts handed to a webhook of your own, as `{to, text}`. */
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

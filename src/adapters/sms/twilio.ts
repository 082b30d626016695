/** SMS adapter for Twilio Programmable Messaging. */
import type { SmsSender } from '../../ports/sms.ts';
import type { SmsConfig } from '../../read-provider-config.ts';
import { postToSmsService } from './http-post-of-sms-adapters.ts';

type TwilioConfig = Extract<SmsConfig, { kind: 'twilio' }>;

export function createTwilioSmsSender({ accountSid, authToken, from, apiBase }: TwilioConfig): SmsSender {
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, apiBase).href;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    embedded: false,
    send: ({ to, text, messageId }) =>
      postToSmsService(url, {
        headers: { authorization, 'i-twilio-idempotency-token': messageId },
        body: new URLSearchParams({
          To: to,
          Body: text,
          // A messaging service (MG…) chooses the sender number.
          ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
        }),
      }),
  };
}

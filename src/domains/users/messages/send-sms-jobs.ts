/** Jobs that send text messages. Enqueued in the transaction of the change, so that a rollback sends nothing and a failure is retried. */
import type { Services } from '../../../context.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { defineJob, type JobPolicy } from '../../../ports/jobs.ts';
import { type SmsMessage, SmsRejectedError, smsMessageSchema } from '../../../ports/sms.ts';

const smsJobPolicy: JobPolicy = { retries: 5, concurrency: 2, discardData: true };

async function sendSms({ sms, log }: Pick<Services, 'sms' | 'log'>, message: SmsMessage): Promise<void> {
  try {
    await sms.send(message);
  } catch (error) {
    if (!(error instanceof SmsRejectedError)) throw error;
    log.warn({ err: error, messageId: message.messageId }, 'SMS rejected by the provider; not retried');
  }
}

/** For messages that version 0.2 and earlier queued. */
export const sendSmsJob = defineJob('sms', smsMessageSchema, sendSms, smsJobPolicy);

/** Six digits, the same for every attempt to send the message. The queue holds only the id: the code needs the secret of the gateway. */
export const derivePhoneCode = (secret: Uint8Array, messageId: string): string =>
  String(
    Number.parseInt(hmacSha256Hex(secret, 'phone-code', messageId).slice(0, 12), 16) % 1_000_000,
  ).padStart(6, '0');

export const sendPhoneCodeJob = defineJob(
  'users.phone-code',
  smsMessageSchema.omit({ text: true }),
  (services: Pick<Services, 'sms' | 'log' | 'keys'>, message) =>
    sendSms(services, {
      ...message,
      text: `Your code is ${derivePhoneCode(services.keys.secret, message.messageId)}. It is valid for ten minutes. Do not share it with anyone.`,
    }),
  smsJobPolicy,
);

/** Sends text messages. */
import { z } from 'zod';

/** Texts wait in a queue before they are sent, hence a schema. */
export const smsMessageSchema = z.object({
  /** In international form: a plus and digits. */
  to: z.string(),
  text: z.string(),
  /** Stable, so that a retry is recognised as the same text. */
  messageId: z.string(),
});

export type SmsMessage = z.output<typeof smsMessageSchema>;

export interface Sms {
  /** Whether texts end in the sandbox outbox instead of the world. */
  readonly embedded: boolean;
  /** Throws SmsRefused when trying again is pointless, any other error when it is not. */
  send(message: SmsMessage): Promise<void>;
}

/** The gateway to the phones said no for good. */
export class SmsRejectedError extends Error {
  override readonly name = 'SmsRefused';
}

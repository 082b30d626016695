/** Port for sending text messages. */
import { z } from 'zod';

/** Messages are stored in the job queue before they are sent, so they are validated when read back. */
export const smsMessageSchema = z.object({
  /** Phone number in E.164 format: a plus sign and digits. */
  to: z.string(),
  text: z.string(),
  /** Stable across retries, so that the SMS provider can detect duplicates. */
  messageId: z.string(),
});

export type SmsMessage = z.output<typeof smsMessageSchema>;

export interface SmsSender {
  /** Whether messages are captured by the sandbox instead of being sent. */
  readonly embedded: boolean;
  /** Throws SmsRejectedError for permanent errors, other errors if a retry may succeed. */
  send(message: SmsMessage): Promise<void>;
}

/** The SMS provider permanently rejected the message. */
export class SmsRejectedError extends Error {
  override readonly name = 'SmsRejectedError';
}

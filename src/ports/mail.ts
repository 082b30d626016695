/** Port for sending mail. */
import { z } from 'zod';

/** Mails are stored in the job queue before they are sent, so they are validated when read back. */
export const mailMessageSchema = z.object({
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Display name of the sender; the address is the same for all mails. */
  fromName: z.string().exactOptional(),
  /** Address that receives replies. */
  replyTo: z.string().exactOptional(),
  /** Stable across retries, so that mail servers can detect duplicates. */
  messageId: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
});

export type MailMessage = z.output<typeof mailMessageSchema>;

export interface MailSender {
  /** Whether mails are captured by the sandbox instead of being sent. */
  readonly embedded: boolean;
  /** Throws MailRejectedError for permanent errors, other errors if a retry may succeed. */
  send(message: MailMessage): Promise<void>;
}

/** The mail server permanently rejected the mail. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
}

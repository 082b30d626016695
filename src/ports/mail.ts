/** Sends mail. */
import { z } from 'zod';

/** Mails wait in a queue before they are sent, hence a schema. */
export const mailMessageSchema = z.object({
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Who it is from, beside the address that all mails are from. */
  fromName: z.string().exactOptional(),
  /** Stable, so that a retry is recognised as the same mail. */
  messageId: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
});

export type MailMessage = z.output<typeof mailMessageSchema>;

export interface Mail {
  /** Whether mails end in the sandbox outbox instead of the world. */
  readonly embedded: boolean;
  /** Throws MailRefused when trying again is pointless, any other error when it is not. */
  send(message: MailMessage): Promise<void>;
}

/** The server said no for good. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRefused';
}

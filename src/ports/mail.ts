/** Sends mail. */
export interface MailMessage {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Stable, so that a retry is recognised as the same mail. */
  messageId?: string;
  headers?: Record<string, string>;
}

export interface Mail {
  /** Whether mails end in the sandbox outbox instead of the world. */
  readonly embedded: boolean;
  /** Throws MailRefused when trying again is pointless, any other error when it is not. */
  send(message: MailMessage): Promise<void>;
}

/** The server said no for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Sends text messages. */
export interface Sms {
  /** Whether texts end in the sandbox outbox instead of the world. */
  readonly embedded: boolean;
  send(message: { to: string; text: string }): Promise<void>;
}

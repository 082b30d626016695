/** Mail adapter over SMTP. */
import { createTransport } from 'nodemailer';
import { MailRejectedError, type MailSender } from '../../ports/mail.ts';

export function createSmtpMailSender(url: string, from: string): MailSender & { close(): void } {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 5,
      maxMessages: 1000,
      connectionTimeout: 8_000,
      greetingTimeout: 8_000,
      socketTimeout: 20_000,
    },
    { from },
  );
  const sender = addressOf(from);
  return {
    embedded: false,
    async send({ to, fromName, replyTo, subject, html, text, messageId, headers }) {
      try {
        // An address object prevents nodemailer from parsing a name or a list of recipients out of the string.
        await transport.sendMail({
          to: { name: '', address: to },
          ...(fromName ? { from: { name: fromName, address: sender } } : {}),
          ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
          subject,
          html,
          text,
          ...(messageId ? { messageId } : {}),
          ...(headers ? { headers } : {}),
        });
      } catch (error) {
        throw isPermanent(error)
          ? new MailRejectedError('The mail server rejected the mail permanently.', { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
}

/** The address in `Shop <mail@shop.example>`. */
const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

/** Connects and authenticates; returns the error message, or undefined on success. */
export async function findSmtpProblem(url: string, waitMs = 5_000): Promise<string | undefined> {
  const timeouts = { connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs };
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    transport.close();
  }
}

/** 5xx replies to the message itself are permanent; connection and login errors are not. */
function isPermanent(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

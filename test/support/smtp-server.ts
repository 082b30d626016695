/** SMTP server on loopback that stores received mails. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { afterAll } from 'vitest';

export interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
  parsed: Email;
}

export interface SmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** Errors for the next mails, in order; then mails are accepted. */
  rejections: { code: number; text: string }[];
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const rejections: SmtpServer['rejections'] = [];
  async function receive(stream: AsyncIterable<unknown>, { envelope }: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const rejection = rejections.shift();
    if (rejection) throw Object.assign(new Error(rejection.text), { responseCode: rejection.code });
    const raw = Buffer.concat(chunks).toString();
    const { mailFrom, rcptTo } = envelope;
    mails.push({
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      raw,
      parsed: await PostalMime.parse(raw),
    });
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // Senders pool their connections; close does not wait for them.
    closeTimeout: 100,
    onData(stream, session, done) {
      // A killed sender leaves an incomplete message, which is not stored.
      receive(stream, session).then(() => done(), done);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    rejections,
  };
}

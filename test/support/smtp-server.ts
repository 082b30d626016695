/** A real SMTP server on loopback that keeps the mails it takes. */
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
  /** What the next mails are refused with. */
  rejections: { code: number; text: string }[];
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const refusals: SmtpServer['rejections'] = [];
  async function take(stream: AsyncIterable<unknown>, { envelope }: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const refusal = refusals.shift();
    if (refusal) throw Object.assign(new Error(refusal.text), { responseCode: refusal.code });
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
    // Senders keep their connections for later: nobody waits for those.
    closeTimeout: 100,
    onData(stream, session, done) {
      // A sender that is killed leaves half a message: it is not taken.
      take(stream, session).then(() => done(), done);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    rejections: refusals,
  };
}

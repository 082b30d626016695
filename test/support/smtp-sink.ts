/** An SMTP server that accepts everything and counts it. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface SmtpSink {
  readonly url: string;
  /** How often each Message-ID came in. */
  readonly countsByMessageId: ReadonlyMap<string, number>;
  /** Who got mail. */
  readonly recipients: ReadonlySet<string>;
  /** The first few mails as they came. */
  readonly messages: readonly string[];
  /** How many mails came from whom, by the name they said hello with. */
  readonly countsByClientName: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** `delayMs` is how long it takes to say yes to a mail it already counted: a sender killed meanwhile sends it again. */
export async function startSmtpSink({ delayMs = 0 } = {}): Promise<SmtpSink> {
  const seen = new Map<string, number>();
  const recipients = new Set<string>();
  const messages: string[] = [];
  const senders = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Senders keep their connections for later: nobody waits for those.
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('error', done);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks).toString();
        if (messages.length < 10) messages.push(message);
        const id = /^Message-ID:\s+(\S+)/im.exec(message)?.[1] ?? '';
        seen.set(id, (seen.get(id) ?? 0) + 1);
        for (const { address } of session.envelope.rcptTo) recipients.add(address);
        const { hostNameAppearsAs } = session;
        senders.set(hostNameAppearsAs, (senders.get(hostNameAppearsAs) ?? 0) + 1);
        setTimeout(done, delayMs);
      });
    },
  });
  // A sender that is killed leaves connections behind in any state.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    countsByMessageId: seen,
    recipients,
    messages,
    countsByClientName: senders,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

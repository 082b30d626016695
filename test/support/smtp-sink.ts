/** SMTP server that accepts and counts all mail. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface SmtpSink {
  readonly url: string;
  /** Number of mails per Message-ID. */
  readonly countsByMessageId: ReadonlyMap<string, number>;
  /** Addresses that received mail. */
  readonly recipients: ReadonlySet<string>;
  /** Source of the first ten mails. */
  readonly messages: readonly string[];
  /** Number of mails per client name (EHLO). */
  readonly countsByClientName: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** `delayMs` (default 0): delay between counting a mail and accepting it. A sender that is killed in between sends it again. */
export async function startSmtpSink({ delayMs = 0 } = {}): Promise<SmtpSink> {
  const countsByMessageId = new Map<string, number>();
  const recipients = new Set<string>();
  const messages: string[] = [];
  const countsByClientName = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Senders pool their connections; close does not wait for them.
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('error', done);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks).toString();
        if (messages.length < 10) messages.push(message);
        const id = /^Message-ID:\s+(\S+)/im.exec(message)?.[1] ?? '';
        countsByMessageId.set(id, (countsByMessageId.get(id) ?? 0) + 1);
        for (const { address } of session.envelope.rcptTo) recipients.add(address);
        const { hostNameAppearsAs } = session;
        countsByClientName.set(hostNameAppearsAs, (countsByClientName.get(hostNameAppearsAs) ?? 0) + 1);
        setTimeout(done, delayMs);
      });
    },
  });
  // A killed sender leaves connections in any state.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    countsByMessageId,
    recipients,
    messages,
    countsByClientName,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

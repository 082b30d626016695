/** As poolers do that keep named statements: they give each a name of their own. What runs on it stays in one session of the server. */
import { connect, createServer, type Socket } from 'node:net';

export interface RenamingPooler {
  url: string;
  stop(): void;
}

export async function startRenamingPooler(behind: string): Promise<RenamingPooler> {
  const { hostname, port } = new URL(behind);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect(Number(port || 5432), hostname);
    let rest = Buffer.alloc(0);
    let isGreeted = false;
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // Only the first message has no type.
        const at = isGreeted ? 1 : 0;
        if (rest.length < at + 4) return;
        const length = at + rest.readInt32BE(at);
        if (rest.length < length) return;
        const message = rest.subarray(0, length);
        backend.write(isGreeted ? renamed(message) : message);
        isGreeted = true;
        rest = rest.subarray(length);
      }
    });
    backend.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(behind);
  const address = server.address();
  url.port = String(typeof address === 'object' ? address?.port : '');
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const prefix = Buffer.from('POOLER_');

/** Where the name of a statement begins in the messages that have one: Parse, Bind, Describe, Close. */
function nameAt(message: Buffer): number | undefined {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type === 'P') return 5;
  if (type === 'B') return message.indexOf(0, 5) + 1;
  return (type === 'D' || type === 'C') && message[5] === 'S'.charCodeAt(0) ? 6 : undefined;
}

function renamed(message: Buffer): Buffer {
  const at = nameAt(message);
  if (at === undefined || message[at] === 0) return message;
  const named = Buffer.concat([message.subarray(0, at), prefix, message.subarray(at)]);
  named.writeInt32BE(named.length - 1, 1);
  return named;
}

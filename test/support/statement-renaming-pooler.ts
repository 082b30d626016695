/** PostgreSQL proxy that renames prepared statements, as some poolers do. Each client connection has its own server connection. */
import { connect, createServer, type Socket } from 'node:net';

export interface RenamingPooler {
  url: string;
  stop(): void;
}

export async function startRenamingPooler(databaseUrl: string): Promise<RenamingPooler> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect(Number(port || 5432), hostname);
    let buffered = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (;;) {
        // Only the startup message has no type byte.
        const offset = isStarted ? 1 : 0;
        if (buffered.length < offset + 4) return;
        const length = offset + buffered.readInt32BE(offset);
        if (buffered.length < length) return;
        const message = buffered.subarray(0, length);
        backend.write(isStarted ? renameStatement(message) : message);
        isStarted = true;
        buffered = buffered.subarray(length);
      }
    });
    backend.on('data', (chunk) => client.write(chunk));
    for (const [socket, peer] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => peer.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
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

/** Offset of the statement name in Parse, Bind, Describe and Close messages. */
function statementNameOffset(message: Buffer): number | undefined {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type === 'P') return 5;
  if (type === 'B') return message.indexOf(0, 5) + 1;
  return (type === 'D' || type === 'C') && message[5] === 'S'.charCodeAt(0) ? 6 : undefined;
}

function renameStatement(message: Buffer): Buffer {
  const offset = statementNameOffset(message);
  if (offset === undefined || message[offset] === 0) return message;
  const renamed = Buffer.concat([message.subarray(0, offset), prefix, message.subarray(offset)]);
  renamed.writeInt32BE(renamed.length - 1, 1);
  return renamed;
}

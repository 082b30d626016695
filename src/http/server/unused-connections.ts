/** Connections on which nothing has been asked yet: browsers and load balancers open some in advance, and node waits for them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Begins to note them; the function it returns closes those that are still unused. */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
}

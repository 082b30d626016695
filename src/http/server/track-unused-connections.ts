/** Tracks connections without a request. Browsers and load balancers open some in advance, and `server.close()` would wait for them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Starts tracking; the returned function closes the connections that are still unused. */
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

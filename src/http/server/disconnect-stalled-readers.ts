/** Disconnects clients that do not read their response: it would stay in memory as long as they keep the connection open. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface WriteProgress {
  /** Bytes of completed writes. */
  flushed: number;
  since: number;
}

/** A client must read each write, of at most 2 MB, within `timeoutMs`. One interval for all sockets: a timer per response would cost more. */
export function disconnectStalledReaders(server: Server, timeoutMs: number, checkMs: number): void {
  const progressBySocket = new Map<Socket, WriteProgress | undefined>();
  server.on('connection', (socket: Socket) => {
    progressBySocket.set(socket, undefined);
    socket.once('close', () => progressBySocket.delete(socket));
  });
  const timer = setInterval(() => {
    const time = performance.now();
    for (const [socket, progress] of progressBySocket) {
      // Includes the unsent bytes, so a write that only adds to them is no progress.
      const flushed = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0) progressBySocket.set(socket, undefined);
      else if (progress?.flushed !== flushed) progressBySocket.set(socket, { flushed, since: time });
      else if (time - progress.since > timeoutMs) socket.destroy();
    }
  }, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

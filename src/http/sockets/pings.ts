/** Pings of a WebSocket, from the server and from the client. */
import type { WebSocket } from 'ws';

/** Unsent bytes above which pings of a client that does not read are not answered. */
const maxUnsentBytes = 1024 * 1024;

/** Disconnects a client that does not answer a ping until the next one. Returns the function that ends it. */
export function keepAlive(socket: WebSocket, pingMs: number): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate();
    else socket.ping();
    isAlive = false;
  }, pingMs);
  return () => clearInterval(timer);
}

/** At most one pong per tick, for the latest ping, which RFC 6455 allows: a packet can hold thousands of pings. */
export function answerPings(socket: WebSocket): void {
  let latest: Buffer | undefined;
  socket.on('ping', (data) => {
    if (latest === undefined)
      setImmediate(() => {
        if (
          latest !== undefined &&
          socket.readyState === socket.OPEN &&
          socket.bufferedAmount < maxUnsentBytes
        )
          socket.pong(latest);
        latest = undefined;
      });
    latest = data;
  });
}

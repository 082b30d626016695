/** Limits pipelining: Node parses and emits all requests of a packet in one tick, thousands if they are short. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for the response to an earlier one. */
const maxWaitingRequests = 100;

/** Returns whether to process a request. A connection with too many waiting ones is closed. */
export function createPipeliningLimit(): (req: IncomingMessage, res: ServerResponse) => boolean {
  const waitingBySocket = new Map<Socket, number>();

  return ({ socket }, res) => {
    // PERF: a response has its socket unless an earlier one is still being sent: other requests cost no bookkeeping.
    if (res.socket !== null) return true;
    if (socket.destroyed) return false;
    const waiting = waitingBySocket.get(socket);
    if (waiting === maxWaitingRequests) {
      socket.destroy();
      return false;
    }
    if (waiting === undefined) socket.once('close', () => waitingBySocket.delete(socket));
    waitingBySocket.set(socket, (waiting ?? 0) + 1);
    res.once('finish', () => {
      const count = waitingBySocket.get(socket);
      if (count !== undefined) waitingBySocket.set(socket, count - 1);
    });
    return true;
  };
}

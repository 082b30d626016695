/** Pipelined requests: Node parses and emits all requests of a packet in one tick, thousands if they are short. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for the response to an earlier one. */
const maxWaitingRequests = 100;

/** Processes the requests of a connection one after the other, at most one per tick. A connection with too many waiting ones is closed. */
export function createRequestPipeline(): (
  req: IncomingMessage,
  res: ServerResponse,
  process: () => void,
) => void {
  const waitingBySocket = new Map<Socket, number>();

  return ({ socket }, res, process) => {
    // PERF: a response has its socket unless an earlier one is still being sent: other requests cost no bookkeeping.
    if (res.socket !== null) return process();
    if (socket.destroyed) return undefined;
    const waiting = waitingBySocket.get(socket);
    if (waiting === maxWaitingRequests) return void socket.destroy();
    if (waiting === undefined) socket.once('close', () => waitingBySocket.delete(socket));
    waitingBySocket.set(socket, (waiting ?? 0) + 1);
    // Emitted when the earlier responses are sent. Without the pause, short responses would follow each other in the same tick.
    res.once('socket', () =>
      setImmediate(() => {
        const count = waitingBySocket.get(socket);
        if (count === undefined) return;
        waitingBySocket.set(socket, count - 1);
        process();
      }),
    );
    return undefined;
  };
}

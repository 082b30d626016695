/** Processes the messages of WebSockets in turns by network, for about a millisecond per tick: a packet can hold thousands of short ones. */

/** Part of a WebSocket that is paused while too many of its messages wait. */
interface PausableSocket {
  pause(): void;
  resume(): void;
}

export interface MessageTurns {
  /** Processes a message of the socket now or later, in the order of its network. */
  enter(network: string, socket: PausableSocket, bytes: number, process: () => void): void;
}

interface WaitingMessage {
  socket: PausableSocket;
  bytes: number;
  process(): void;
}

const processMs = 1;
/** Processed in every tick, however long they take: in an overloaded process a tick takes long. */
const minMessagesPerTick = 20;
/** Of one socket; what has been read already is queued beyond it. */
const maxWaitingMessages = 1_000;
const maxWaitingBytes = 2 * 1024 * 1024;

export function createMessageTurns({ clock = () => performance.now() } = {}): MessageTurns {
  /** In the order in which networks get their next turn. */
  const queues = new Map<string, WaitingMessage[]>();
  const waitingBySocket = new Map<PausableSocket, { messages: number; bytes: number; isPaused: boolean }>();
  let tickStartedAt = 0;
  let processedInTick = 0;
  let isScheduled = false;

  function scheduleTick(): void {
    if (isScheduled) return;
    isScheduled = true;
    [tickStartedAt, processedInTick] = [clock(), 0];
    setImmediate(() => {
      isScheduled = false;
      if (queues.size > 0) runTick();
    });
  }

  const isTickOver = () => processedInTick >= minMessagesPerTick && clock() - tickStartedAt >= processMs;

  function runTick(): void {
    scheduleTick();
    while (queues.size > 0 && !isTickOver()) {
      const [[network, queue] = ['', []]] = queues;
      queues.delete(network);
      const message = queue.shift();
      if (queue.length > 0) queues.set(network, queue);
      if (message) {
        processedInTick += 1;
        countWaiting(message, -1);
        message.process();
      }
    }
  }

  function countWaiting({ socket, bytes }: WaitingMessage, change: 1 | -1): void {
    const waiting = waitingBySocket.get(socket) ?? { messages: 0, bytes: 0, isPaused: false };
    waiting.messages += change;
    waiting.bytes += change * bytes;
    if (waiting.messages > 0) waitingBySocket.set(socket, waiting);
    else waitingBySocket.delete(socket);
    const isTooMuch = waiting.messages > maxWaitingMessages || waiting.bytes > maxWaitingBytes;
    if (isTooMuch && !waiting.isPaused) socket.pause();
    else if (waiting.messages === 0 && waiting.isPaused) socket.resume();
    waiting.isPaused ||= isTooMuch;
  }

  return {
    enter(network, socket, bytes, process) {
      scheduleTick();
      if (!queues.has(network) && !isTickOver()) {
        processedInTick += 1;
        return process();
      }
      const message = { socket, bytes, process };
      countWaiting(message, 1);
      const queue = queues.get(network);
      if (queue) queue.push(message);
      else queues.set(network, [message]);
    },
  };
}

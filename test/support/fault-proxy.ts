/** TCP proxy that injects network faults: delays, stalled and reset connections, refused connections, and a lost response. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FaultProxy {
  /** URL of the server through the proxy. */
  readonly url: string;
  /** Number of open connections. */
  readonly openConnections: number;
  /** Delays every chunk in both directions. */
  delay(ms: number): void;
  /** Forwards and closes nothing on existing and new connections, until `restore`. */
  stall(): void;
  /** Existing connections never forward anything again, as when a firewall dropped their state; new connections work. */
  stallOpenConnections(): void;
  /** Resets existing and new connections until `restore`. The proxy keeps its port. */
  refuseConnections(): void;
  /** Resets existing connections; new connections work. */
  resetConnections(): void;
  /**
   * Forwards the next request that matches `request` (default: COMMIT) to the server, but resets the connection instead of forwarding
   * the response. Resolves when this has happened.
   */
  dropResponse(request?: RegExp): Promise<void>;
  /** Removes all faults, including a pending `dropResponse`. */
  restore(): void;
  close(): Promise<void>;
}

/**
 * Destroys a socket that is connecting or has sent FIN: Node never finishes closing such a socket after a reset, and its thread could not
 * exit.
 */
const resetSocket = (socket: Socket) => {
  if (socket.writableEnded || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
};

interface ProxiedConnection {
  client: Socket;
  upstream: Socket;
  isStalled: boolean;
  /** Set while the next response is to be dropped. */
  onDropped: (() => void) | undefined;
}

interface PendingDrop {
  request: RegExp;
  onDropped(): void;
}

/** Starts a proxy for `target`, a URL with a port. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const connections = new Set<ProxiedConnection>();
  let delayMs = 0;
  let gate: { whenOpen: Promise<void>; open(): void } | undefined;
  let pendingDrop: PendingDrop | undefined;
  let isRefusing = false;

  const server = createServer((client) => {
    if (isRefusing) {
      client.on('error', () => {});
      resetSocket(client);
      return;
    }
    const connection = {
      client,
      upstream: connect(Number(port), hostname),
      isStalled: false,
      onDropped: undefined,
    };
    connections.add(connection);
    forward(connection, 'client', 'upstream');
    forward(connection, 'upstream', 'client');
  });

  function forward(
    connection: ProxiedConnection,
    from: 'client' | 'upstream',
    destination: 'client' | 'upstream',
  ): void {
    let queue = Promise.resolve();
    // Keeps the order of chunks, regardless of delays.
    const enqueue = (send: () => void) => {
      queue = queue.then(async () => {
        if (delayMs > 0) await sleep(delayMs);
        await gate?.whenOpen;
        if (!connection.isStalled || connection[from].destroyed) send();
      });
    };
    connection[from].setNoDelay(true);
    connection[from].on('error', () => {});
    connection[from].on('data', (chunk: Buffer) => enqueue(() => forwardChunk(connection, from, chunk)));
    connection[from].on('end', () => enqueue(() => connection[destination].end()));
    connection[from].on('close', () => {
      connections.delete(connection);
      enqueue(() => connection[destination].destroy());
    });
  }

  function forwardChunk(connection: ProxiedConnection, from: 'client' | 'upstream', chunk: Buffer): void {
    if (from === 'upstream' && connection.onDropped) {
      connection.onDropped();
      reset(connection);
      return;
    }
    if (from === 'upstream') {
      connection.client.write(chunk);
      return;
    }
    if (!connection.onDropped && pendingDrop?.request.test(chunk.toString('latin1'))) {
      connection.onDropped = pendingDrop.onDropped;
      pendingDrop = undefined;
    }
    connection.upstream.write(chunk);
  }

  function reset(connection: ProxiedConnection): void {
    connections.delete(connection);
    resetSocket(connection.client);
    resetSocket(connection.upstream);
  }
  const resetAll = () => {
    for (const connection of connections) reset(connection);
  };

  await once(server.listen(0, hostname), 'listening');
  const proxyUrl = new URL(target);
  proxyUrl.port = String((server.address() as AddressInfo).port);
  return {
    url: proxyUrl.href,
    get openConnections() {
      return connections.size;
    },
    delay(ms) {
      delayMs = ms;
    },
    stall() {
      if (gate) return;
      let open = () => {};
      const whenOpen = new Promise<void>((resolve) => {
        open = resolve;
      });
      gate = { whenOpen, open };
    },
    stallOpenConnections() {
      for (const connection of connections) connection.isStalled = true;
    },
    refuseConnections() {
      isRefusing = true;
      resetAll();
    },
    resetConnections: resetAll,
    dropResponse(request = /COMMIT/) {
      return new Promise((resolve) => {
        pendingDrop = { request, onDropped: resolve };
      });
    },
    restore() {
      delayMs = 0;
      isRefusing = false;
      pendingDrop = undefined;
      gate?.open();
      gate = undefined;
    },
    async close() {
      gate?.open();
      resetAll();
      await once(server.close(), 'close');
    },
  };
}

/** A network that fails on purpose: stands between a program and a server, and delays, cuts, swallows, refuses, or loses one answer. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FaultProxy {
  /** The address of the server, by this way. */
  readonly url: string;
  /** How many connections are open. */
  readonly openConnections: number;
  /** Every piece takes this much longer, either way. */
  delay(ms: number): void;
  /** Nothing is forwarded and nothing is closed, new connections too, until it is healed. */
  stall(): void;
  /** The connections of now never forward anything again, as when a firewall has forgotten them; new ones work. */
  stallOpenConnections(): void;
  /** What is open is reset, and so is who comes: the port stays ours, for who is let in again. */
  refuseConnections(): void;
  /** What is open is reset; who comes again is let in. */
  resetConnections(): void;
  /**
   * What the client says next that reads like this reaches the server, and the answer, which was given, does not reach the client:
   * its connection is reset. Resolves when it has happened.
   */
  dropResponse(to?: RegExp): Promise<void>;
  /** All is well again. Whose answer was to be lost is left alone. */
  restore(): void;
  close(): Promise<void>;
}

/** One that is saying goodbye cannot be reset: Node would count it as closing for ever, and its thread could never end. */
const resetSocket = (socket: Socket) => {
  if (socket.writableEnded || socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
};

interface Link {
  near: Socket;
  far: Socket;
  forgotten: boolean;
  /** The next answer is the one to lose. */
  losing: (() => void) | undefined;
}

interface Loss {
  to: RegExp;
  happened(): void;
}

/** For the server at `target`, an address with a port. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  let delayMs = 0;
  let gate: { opened: Promise<void>; open(): void } | undefined;
  let loss: Loss | undefined;
  let refusing = false;

  const server = createServer((near) => {
    if (refusing) {
      near.on('error', () => {});
      resetSocket(near);
      return;
    }
    const link = { near, far: connect(Number(port), hostname), forgotten: false, losing: undefined };
    links.add(link);
    forward(link, 'near', 'far');
    forward(link, 'far', 'near');
  });

  function forward(link: Link, from: 'near' | 'far', to: 'near' | 'far'): void {
    let before = Promise.resolve();
    // In order, whatever each of them has to wait for.
    const inTurn = (send: () => void) => {
      before = before.then(async () => {
        if (delayMs > 0) await sleep(delayMs);
        await gate?.opened;
        if (!link.forgotten || link[from].destroyed) send();
      });
    };
    link[from].setNoDelay(true);
    link[from].on('error', () => {});
    link[from].on('data', (piece: Buffer) => inTurn(() => pass(link, from, piece)));
    link[from].on('end', () => inTurn(() => link[to].end()));
    link[from].on('close', () => {
      links.delete(link);
      inTurn(() => link[to].destroy());
    });
  }

  function pass(link: Link, from: 'near' | 'far', piece: Buffer): void {
    if (from === 'far' && link.losing) {
      link.losing();
      reset(link);
      return;
    }
    if (from === 'far') {
      link.near.write(piece);
      return;
    }
    if (!link.losing && loss?.to.test(piece.toString('latin1'))) {
      link.losing = loss.happened;
      loss = undefined;
    }
    link.far.write(piece);
  }

  function reset(link: Link): void {
    links.delete(link);
    resetSocket(link.near);
    resetSocket(link.far);
  }
  const cut = () => {
    for (const link of links) reset(link);
  };

  await once(server.listen(0, hostname), 'listening');
  const own = new URL(target);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    get openConnections() {
      return links.size;
    },
    delay(ms) {
      delayMs = ms;
    },
    stall() {
      if (gate) return;
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      gate = { opened, open };
    },
    stallOpenConnections() {
      for (const link of links) link.forgotten = true;
    },
    refuseConnections() {
      refusing = true;
      cut();
    },
    resetConnections: cut,
    dropResponse(to = /COMMIT/) {
      return new Promise((resolve) => {
        loss = { to, happened: resolve };
      });
    },
    restore() {
      delayMs = 0;
      refusing = false;
      loss = undefined;
      gate?.open();
      gate = undefined;
    },
    async close() {
      gate?.open();
      cut();
      await once(server.close(), 'close');
    },
  };
}

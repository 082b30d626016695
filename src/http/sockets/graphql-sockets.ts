/** WebSockets at /graphql: handshake, limits on connections, keep-alive and shutdown. */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { resolveClientAddress } from '../../context.ts';
import { maxGraphqlBytes } from '../../graphql/http/request-params.ts';
import { sha256Hex } from '../../lib/hash-encrypt-and-random-tokens.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { DispatchHttpRequest } from '../dispatch-request.ts';
import { createMessageTurns } from './message-turns.ts';
import { answerPings, keepAlive } from './pings.ts';
import { SocketConnection } from './socket-connection.ts';
import type { SocketHandshake } from './socket-operation.ts';

interface GraphqlSocketsOptions {
  dispatch: DispatchHttpRequest;
  trustedProxies: number;
  isStopping(): boolean;
  limits?: Partial<SocketLimits>;
}

interface SocketLimits {
  /** Maximum number of connections with the same credentials. Default 100. */
  perCredentials: number;
  /** Maximum number of connections of one IP network. Default 1,000. */
  perNetwork: number;
  /** Default 10,000. */
  perProcess: number;
  /** Milliseconds until a client has to send `connection_init`. Default 3,000. */
  initMs: number;
  /** Milliseconds between two pings; a client that does not answer until the next one is disconnected. Default 12,000. */
  pingMs: number;
}

const defaultLimits: SocketLimits = {
  perCredentials: 100,
  perNetwork: 1_000,
  perProcess: 10_000,
  initMs: 3_000,
  pingMs: 12_000,
};

/** Milliseconds for the closing handshake; connections that are still open after it are terminated. */
const terminateMs = 5_000;
/** Parts of one message: a list of parts takes about 200 bytes for each, also if it has one byte. */
const maxFragments = 256;
const maxBufferedChunks = 4096;
/** Type, id and quotes around the request. */
const envelopeBytes = 4 * 1024;

export interface GraphqlSockets {
  readonly count: number;
  /** Rejects new connections, and closes each open one when its running operations have ended. */
  close(): void;
}

export function serveGraphqlSockets(server: Server, options: GraphqlSocketsOptions): GraphqlSockets {
  const limits = { ...defaultLimits, ...options.limits };
  const connections = new Map<WebSocket, SocketConnection>();
  const counts = new Map<string, number>();
  // `closeTimeout` is not in the types.
  const webSocketOptions: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    handleProtocols,
    maxPayload: maxGraphqlBytes + envelopeBytes,
    maxFragments,
    maxBufferedChunks,
    closeTimeout: terminateMs,
    autoPong: false,
    clientTracking: false,
  };
  const webSockets = new WebSocketServer(webSocketOptions);
  const turns = createMessageTurns();
  let closed = false;

  /** Returns the function that releases the reservation; undefined if the limit is reached. */
  function reserve(key: string, limit: number): (() => void) | undefined {
    const count = counts.get(key) ?? 0;
    if (count >= limit) return undefined;
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    };
  }

  function open(socket: WebSocket, handshake: SocketHandshake, network: string): void {
    // The socket closes after an error, such as a frame that is too large.
    socket.on('error', () => {});
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
      socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
      return;
    }
    const connection = new SocketConnection(socket, {
      dispatch: options.dispatch,
      handshake,
      inTurn: (bytes, process) => turns.enter(network, socket, bytes, process),
      reserve(credentials) {
        if (credentials === undefined) return true;
        const release = reserve(`credentials ${sha256Hex(credentials)}`, limits.perCredentials);
        if (release) socket.once('close', release);
        return release !== undefined;
      },
    });
    connections.set(socket, connection);
    const initTimer = setTimeout(() => {
      if (!connection.isInitialized)
        socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
    }, limits.initMs);
    const stopPings = keepAlive(socket, limits.pingMs);
    answerPings(socket);
    socket.once('close', () => {
      clearTimeout(initTimer);
      stopPings();
      connections.delete(socket);
    });
  }

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const handshake = toHandshake(req);
    const network = toIpNetwork(resolveClientAddress(handshake, options.trustedProxies));
    if (req.url?.split('?', 1)[0] !== '/graphql') return reject(socket, 404);
    if (closed || options.isStopping()) return reject(socket, 503);
    const releaseProcess = reserve('process', limits.perProcess);
    if (!releaseProcess) return reject(socket, 503);
    const releaseNetwork = reserve(`network ${network}`, limits.perNetwork);
    socket.once('close', () => {
      releaseProcess();
      releaseNetwork?.();
    });
    if (!releaseNetwork) return reject(socket, 429);
    return webSockets.handleUpgrade(req, socket, head, (webSocket) => open(webSocket, handshake, network));
  });

  return {
    get count() {
      return connections.size;
    },
    close() {
      closed = true;
      for (const connection of connections.values()) connection.stop();
      setTimeout(() => {
        for (const socket of connections.keys()) socket.terminate();
      }, terminateMs).unref();
    },
  };
}

function toHandshake({ socket, headers }: IncomingMessage): SocketHandshake {
  return {
    remoteAddress: socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}

function reject(socket: Duplex, status: 404 | 429 | 503): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\nretry-after: 1\r\n\r\n`,
    () => socket.destroy(),
  );
}

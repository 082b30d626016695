/** An app on a real port, which serves GraphQL over HTTP and WebSocket. */
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type GraphqlSockets, serveGraphqlSockets } from '../../src/http/sockets/graphql-sockets.ts';
import type { TestApp } from './app.ts';

export interface GraphqlSocketServer {
  port: number;
  sockets: GraphqlSockets;
}

/** The server is closed after the calling file or block. */
export async function listenWithSockets(t: TestApp): Promise<GraphqlSocketServer> {
  const server = createHttpServer(t.app.dispatch);
  const sockets = serveGraphqlSockets(server, {
    dispatch: t.app.dispatch,
    trustedProxies: 0,
    isStopping: () => t.app.isStopping,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

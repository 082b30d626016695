/** @defer and @stream with real clients over real sockets: Apollo Client, Relay, graphql-sse and graphql-ws. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import {
  createOperationDescriptor,
  Environment,
  Network,
  Observable,
  RecordSource,
  Store,
} from 'relay-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { serveGraphqlSockets } from '../../src/http/sockets/graphql-sockets.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { lockTables } from '../support/locked-tables.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { type IncrementalResult, mergeResults } from './incremental/read-results.ts';
import { compileRelayQuery, fetchWithParts } from './incremental/relay-network.ts';

let t: TestApp;
let shop: SellingShop;
let server: Server;
let url: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  for (const name of ['Cup', 'Pan', 'Pot']) await addProduct(t, shop, { name });
  server = createHttpServer(t.app.dispatch);
  serveGraphqlSockets(server, {
    dispatch: t.app.dispatch,
    trustedProxies: 0,
    isStopping: () => t.app.isStopping,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const query = `query Shop($b: ID!) {
  products(businessId: $b, sort: NAME) { nodes @stream(initialCount: 1, label: "Shop$stream$nodes") { __typename id name } }
  ...Orders @defer(label: "Shop$defer$Orders")
}
fragment Orders on Query { orders(businessId: $b) { totalCount } }`;
const variables = () => ({ b: shop.businessId });
const headers = () => ({ authorization: `Bearer ${shop.admin.token}` });
const names = ['Cup', 'Pan', 'Pot'];
const within = { interval: 10, timeout: 10_000 };

const namesIn = (data: unknown) =>
  (data as { products: { nodes: { name: string }[] } }).products.nodes.map(({ name }) => name);

it.each([
  ['2022-08-24', Defer20220824Handler],
  ['graphql-js 17', GraphQL17Alpha9Handler],
])(
  'Apollo Client shows the first result before the slow part, and writes all to its cache, with the format of %s',
  async (_format, Handler) => {
    const locked = await lockTables(t.db, 'orders');
    const client = new ApolloClient({
      link: new HttpLink({ uri: url, headers: headers() }),
      cache: new InMemoryCache(),
      incrementalHandler: new Handler(),
    });
    const document = gql(query);
    const shown: { data?: unknown; dataState: string }[] = [];
    const watched = client.watchQuery({ query: document, variables: variables() });
    const subscription = watched.subscribe(({ data, dataState }) => shown.push({ data, dataState }));
    await expect.poll(() => shown.some(({ data }) => data && namesIn(data).length > 0), within).toBe(true);
    expect(shown.at(-1)).toMatchObject({ dataState: 'streaming' });
    await locked.release();
    await expect.poll(() => shown.at(-1)?.dataState, within).toBe('complete');
    subscription.unsubscribe();
    const cached = client.cache.readQuery({ query: document, variables: variables() });
    expect(cached).toMatchObject({ orders: { totalCount: 0 } });
    expect(namesIn(cached)).toEqual(names);
    client.stop();
  },
);

it('Relay shows the first result before the slow part, and writes all to its store', async () => {
  const locked = await lockTables(t.db, 'orders');
  const environment = new Environment({
    network: Network.create((request, values) =>
      Observable.create((sink) => fetchWithParts(url, headers(), request.text ?? '', values, sink)),
    ),
    store: new Store(new RecordSource()),
  });
  const operation = createOperationDescriptor(compileRelayQuery(query), variables());
  let results = 0;
  let isComplete = false;
  environment.execute({ operation }).subscribe({
    next: () => {
      results += 1;
    },
    complete: () => {
      isComplete = true;
    },
  });
  await expect.poll(() => results, within).toBeGreaterThan(0);
  expect(isComplete).toBe(false);
  await locked.release();
  await expect.poll(() => isComplete, within).toBe(true);
  const { data, isMissingData } = environment.lookup(operation.fragment);
  expect(isMissingData).toBe(false);
  expect(namesIn(data)).toEqual(names);
  expect(data).toMatchObject({ orders: { totalCount: 0 } });
});

it.each([
  ['graphql-sse', () => createSseClient({ url, headers: headers(), retryAttempts: 0 })],
  [
    'graphql-ws',
    () =>
      createWsClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: headers(),
        retryAttempts: 0,
      }),
  ],
])('%s receives the parts', async (_name, createClient) => {
  const client = createClient();
  const results: IncrementalResult[] = [];
  for await (const result of client.iterate({ query, variables: variables() }))
    results.push(result as IncrementalResult);
  await client.dispose();
  expect(results[0]).toMatchObject({ data: { products: { nodes: [{ name: 'Cup' }] } }, hasNext: true });
  expect(results.at(-1)?.hasNext).toBe(false);
  const { data, errors } = mergeResults(results);
  expect(errors).toEqual([]);
  expect(data).toMatchObject({ orders: { totalCount: 0 } });
  expect(namesIn(data)).toEqual(names);
});

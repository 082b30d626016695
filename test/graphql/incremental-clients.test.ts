/** @defer and @stream with real clients over real sockets: Apollo Client, urql, Relay, graphql-sse and graphql-ws. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { cacheExchange, fetchExchange, type OperationResult, Client as UrqlClient } from '@urql/core';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import {
  createOperationDescriptor,
  Environment,
  getSelector,
  Network,
  Observable,
  type ReaderFragment,
  RecordSource,
  type SingularReaderSelector,
  Store,
} from 'relay-runtime';
import { beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { fetchInParts, toRelayResponse } from '../../examples/clients/src/relay-network.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listenWithSockets } from '../support/graphql-socket-server.ts';
import { lockTables } from '../support/locked-tables.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { type IncrementalResult, mergeResults } from './incremental/read-results.ts';
import { type CompiledShop, compileRelayDocuments } from './incremental/relay-query.ts';

let t: TestApp;
let shop: SellingShop;
let url: string;
let compiled: CompiledShop;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  for (const name of ['Cup', 'Pan', 'Pot']) await addProduct(t, shop, { name });
  const { port } = await listenWithSockets(t);
  url = `http://127.0.0.1:${port}/graphql`;
  compiled = await compileRelayDocuments(relayDocuments);
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

it('urql shows the first result before the slow part, and completes it in its cache', async () => {
  const locked = await lockTables(t.db, 'orders');
  const client = new UrqlClient({
    url,
    preferGetMethod: false,
    fetchOptions: () => ({ headers: headers() }),
    exchanges: [cacheExchange, fetchExchange],
  });
  const shown: OperationResult[] = [];
  const { unsubscribe } = client.query(query, variables()).subscribe((result) => shown.push(result));
  await expect.poll(() => shown.some(({ data }) => data && namesIn(data).length > 0), within).toBe(true);
  expect(shown.at(-1)).toMatchObject({ hasNext: true, error: undefined });
  expect(shown.at(-1)?.data).not.toHaveProperty('orders');
  await locked.release();
  await expect.poll(() => shown.at(-1)?.hasNext, within).toBe(false);
  unsubscribe();
  const cached = client.readQuery(query, variables());
  expect(cached?.error).toBeUndefined();
  expect(cached?.data).toMatchObject({ orders: { totalCount: 0 } });
  expect(namesIn(cached?.data)).toEqual(names);
});

interface ProductEdges {
  edges: { node: { name: string } }[];
}

const relayDocuments = `
query shopQuery($b: ID!) {
  ...shop_products
  ...shop_orders @defer
}
fragment shop_products on Query @argumentDefinitions(first: { type: "Int", defaultValue: 10 }, after: { type: "String" }) {
  products(businessId: $b, first: $first, after: $after, sort: NAME)
    @stream_connection(key: "shop_products", filters: ["businessId"], initial_count: 1) {
    edges { node { name } }
  }
}
fragment shop_orders on Query { orders(businessId: $b) { totalCount } }`;

it('Relay shows the first result before the slow part, and writes all to its store', async () => {
  const locked = await lockTables(t.db, 'orders');
  const environment = new Environment({
    network: Network.create(({ text }, values) => fetchInParts(url, headers(), text, values)),
    store: new Store(new RecordSource()),
  });
  const operation = createOperationDescriptor(compiled.shopQuery, variables());
  const lookUp = (fragment: ReaderFragment) => {
    const { data } = environment.lookup(operation.fragment);
    return environment.lookup(getSelector(fragment, data) as SingularReaderSelector);
  };
  const shownNames = () => {
    const { data } = lookUp(compiled.shop_products) as { data?: { products?: ProductEdges } };
    return data?.products?.edges.map(({ node }) => node.name) ?? [];
  };
  let isComplete = false;
  environment.execute({ operation }).subscribe({
    complete: () => {
      isComplete = true;
    },
  });
  await expect.poll(() => shownNames().length, within).toBeGreaterThan(0);
  expect(lookUp(compiled.shop_orders).isMissingData).toBe(true);
  expect(isComplete).toBe(false);
  await locked.release();
  await expect.poll(() => isComplete, within).toBe(true);
  expect(shownNames()).toEqual(names);
  expect(lookUp(compiled.shop_products)).toMatchObject({
    isMissingData: false,
    data: { products: { pageInfo: { hasNextPage: false } } },
  });
  expect(lookUp(compiled.shop_orders)).toMatchObject({
    isMissingData: false,
    data: { orders: { totalCount: 0 } },
  });
});

it('Relay accepts a last result without parts', async () => {
  const environment = new Environment({
    network: Network.create(() =>
      Observable.create((sink) => {
        for (const result of [{ data: {}, hasNext: true }, { hasNext: false }])
          sink.next(toRelayResponse(result));
        sink.complete();
      }),
    ),
    store: new Store(new RecordSource()),
  });
  const operation = createOperationDescriptor(compiled.shopQuery, variables());
  await expect(environment.execute({ operation }).toPromise()).resolves.toBeDefined();
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

/** Live updates over real sockets with the graphql-sse client (GraphQL over SSE, distinct connections mode). */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'graphql-sse';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { readEventStream } from '../support/sse-client.ts';

let t: TestApp;
let shop: SellingShop;
let customer: Person;
let server: Server;
let url: string;

async function listening(on: Server): Promise<string> {
  await new Promise<void>((resolve) => on.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(on.address() as AddressInfo).port}/graphql`;
}

beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
  customer = await t.person();
  server = createHttpServer(t.app.dispatch);
  url = await listening(server);
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const within = { interval: 10 };
const watching = () => t.app.services.live.state.watching;

afterEach(() => {
  vi.restoreAllMocks();
  return expect.poll(watching, within).toBe(0);
});

const query = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { id status } }`;
const bearer = (person: Person) => ({ authorization: `Bearer ${person.token}` });

const setStatus = (id: string, status: string) =>
  t.rest('PUT', `${shop.orders}/${id}/status`, { as: shop.admin, body: { status } });

interface ClientState {
  received: unknown[];
  ended: 'complete' | Error | undefined;
  leave(): void;
}

/** Subscribes with the graphql-sse client. */
function follow(id: string | null, as: Person, address = url, retries = 0): ClientState {
  const client = createClient({
    url: address,
    headers: bearer(as),
    retryAttempts: retries,
    retry: async () => {},
  });
  const state: ClientState = {
    received: [],
    ended: undefined,
    leave: client.subscribe(
      { query, variables: { b: shop.businessId, id } },
      {
        next: (result) => state.received.push(result),
        error: (error) => {
          state.ended = error as Error;
        },
        complete: () => {
          state.ended = 'complete';
        },
      },
    ),
  };
  return state;
}

describe('the graphql-sse client', () => {
  it('receives the current state, then each change, and releases the subscription when it disconnects', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const ofOrder = follow(id, customer);
    const ofBusiness = follow(null, shop.admin);
    const event = (status: string) => ({ data: { orderChanged: { id, status } } });
    await expect.poll(() => ofOrder.received, within).toEqual([event('PENDING')]);
    await expect.poll(watching, within).toBe(2);
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => ofOrder.received, within).toEqual([event('PENDING'), event('PROCESSING')]);
    await expect.poll(() => ofBusiness.received, within).toEqual([event('PROCESSING')]);
    ofOrder.leave();
    await expect.poll(watching, within).toBe(1);
    ofBusiness.leave();
    await expect.poll(watching, within).toBe(0);
    expect([ofOrder.ended, ofBusiness.ended]).toEqual(['complete', 'complete']);
  });

  it('receives the error code without permission', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const stream = follow(id, await t.person());
    await expect.poll(() => stream.ended, within).toBe('complete');
    expect(stream.received).toMatchObject([
      { errors: [{ message: 'Order not found.', extensions: { code: 'NOT_FOUND', details: [] } }] },
    ]);
  });

  it('reconnects after an interruption and receives the missed state', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const stream = follow(id, customer, url, 5);
    await expect.poll(() => stream.received.length, within).toBe(1);
    server.closeAllConnections();
    await setStatus(id, 'SHIPPED');
    await expect
      .poll(() => stream.received.at(-1), within)
      .toEqual({ data: { orderChanged: { id, status: 'SHIPPED' } } });
    stream.leave();
  });
});

describe('the connection', () => {
  const requestStream = (headers: Record<string, string>, address = url, init: RequestInit = {}) =>
    fetch(address, { headers: { accept: 'text/event-stream', ...headers }, ...init });

  it('has the headers of an event stream, and sends pings while idle', async () => {
    const response = await requestStream({ ...bearer(shop.admin), 'content-type': 'application/json' }, url, {
      method: 'POST',
      body: JSON.stringify({ query, variables: { b: shop.businessId } }),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-request-id': expect.any(String),
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    const stream = readEventStream(response);
    await expect.poll(() => stream.pings, within).toBeGreaterThan(2);
    await stream.close();
  });

  it('may be opened with GET', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const params = new URLSearchParams({ query, variables: JSON.stringify({ b: shop.businessId, id }) });
    const stream = readEventStream(await requestStream(bearer(customer), `${url}?${params}`));
    await expect
      .poll(() => stream.received, within)
      .toEqual([{ data: { orderChanged: { id, status: 'PENDING' } } }]);
    await stream.close();
  });

  it('releases the subscription when the client disconnects before the response', async () => {
    const sql = t.db.sql.bind(t.db);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.spyOn(t.db, 'sql').mockImplementation(async (text, params) => {
      if (watching() > 0) await released;
      return sql(text, params);
    });
    const disconnected = new Promise((resolve) => {
      server.once('connection', (socket) => socket.once('close', resolve));
    });
    const clientRequest = request(url, {
      agent: false,
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...bearer(shop.admin) },
    });
    clientRequest.on('error', () => {});
    clientRequest.end(JSON.stringify({ query, variables: { b: shop.businessId } }));
    await expect.poll(watching, within).toBe(1);
    clientRequest.destroy();
    await disconnected;
    release();
    await expect.poll(watching, within).toBe(0);
  });

  it('combines events for a slow reader instead of buffering them', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const wide = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { version ${Array.from(
      { length: 900 },
      (_item, n) => `a${n}: id`,
    ).join(' ')} } }`;
    const response = await requestStream({ ...bearer(customer), 'content-type': 'application/json' }, url, {
      method: 'POST',
      body: JSON.stringify({ query: wide, variables: { b: shop.businessId, id } }),
    });
    for (let n = 0; n < 300; n++) {
      await t.db.write('update orders set version = version + 1 where id = $1', [id]);
      if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const stream = readEventStream(response);
    await expect
      .poll(
        () => (stream.received.at(-1)?.data?.orderChanged as { version: number } | undefined)?.version,
        within,
      )
      .toBe(301);
    expect(stream.received.length).toBeLessThan(300);
    await stream.close();
  });
});

describe('shutdown', () => {
  it('ends open streams within 2 seconds, so that clients reconnect to another process', async () => {
    const stopping = await testApp();
    const stoppingShop = await createSellingShop(stopping);
    const buyer = await stopping.person();
    const id = await createEmptyOrder(stopping, stoppingShop, buyer);
    const first = createHttpServer(stopping.app.dispatch);
    const address = await listening(first);
    // Listens on the port of the first server for the reconnecting client.
    const second = createServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`event: next\ndata: {"data":{"elsewhere":true}}\n\nevent: complete\ndata:\n\n`);
    });
    const client = createClient({ url: address, headers: bearer(buyer), retryAttempts: 20 });
    const received: unknown[] = [];
    let ended = false;
    client.subscribe(
      { query, variables: { b: stoppingShop.businessId, id } },
      {
        next: (result) => received.push(result),
        error: () => {},
        complete: () => {
          ended = true;
        },
      },
    );
    await expect.poll(() => received.length, within).toBe(1);
    const started = performance.now();
    stopping.app.beginShutdown();
    await new Promise((resolve) => {
      first.close(resolve);
      first.closeIdleConnections();
    });
    expect(performance.now() - started).toBeLessThan(2000);
    await stopping.app.stop();
    expect(stopping.app.services.live.state).toEqual({ watching: 0, listening: false });
    await new Promise<void>((resolve) => second.listen(Number(new URL(address).port), '127.0.0.1', resolve));
    await expect.poll(() => received.at(-1), within).toEqual({ data: { elsewhere: true } });
    await expect.poll(() => ended, within).toBe(true);
    client.dispose();
    second.closeAllConnections();
    await new Promise((resolve) => second.close(resolve));
  });
});

// Last test of the file: the app rejects subscriptions afterwards.
it('stop() ends streams with a retry hint, so that clients reconnect', async () => {
  const body = JSON.stringify({ query, variables: { b: shop.businessId } });
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json', ...bearer(shop.admin) };
  const stream = readEventStream(await fetch(url, { method: 'POST', headers, body }));
  const client = follow(null, shop.admin);
  await expect.poll(watching, within).toBe(2);
  t.app.services.live.stop();
  await expect.poll(() => stream.state, within).toBe('reconnect');
  expect(stream.retry).toBe(1000);
  // The client retries after a network error; it would not after `complete`.
  await expect.poll(() => client.ended, within).toMatchObject({ name: 'NetworkError' });
});

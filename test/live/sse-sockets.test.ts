/** Live updates over real sockets, with the client of the GraphQL over SSE protocol. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'graphql-sse';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { collect } from '../support/live.ts';
import { emptyOrder } from '../support/orders.ts';
import { type SellingShop, sellingShop } from '../support/selling.ts';

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
  shop = await sellingShop(t);
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

interface Watching {
  received: unknown[];
  ended: 'complete' | Error | undefined;
  leave(): void;
}

/** Through the official client. */
function follow(id: string | null, as: Person, at = url, retries = 0): Watching {
  const client = createClient({
    url: at,
    headers: bearer(as),
    retryAttempts: retries,
    retry: async () => {},
  });
  const state: Watching = {
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
  it('gets the state, then each change, and frees everything when it leaves', async () => {
    const id = await emptyOrder(t, shop, customer);
    const mine = follow(id, customer);
    const all = follow(null, shop.admin);
    const event = (status: string) => ({ data: { orderChanged: { id, status } } });
    await expect.poll(() => mine.received, within).toEqual([event('PENDING')]);
    await expect.poll(watching, within).toBe(2);
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => mine.received, within).toEqual([event('PENDING'), event('PROCESSING')]);
    await expect.poll(() => all.received, within).toEqual([event('PROCESSING')]);
    mine.leave();
    await expect.poll(watching, within).toBe(1);
    all.leave();
    await expect.poll(watching, within).toBe(0);
    expect([mine.ended, all.ended]).toEqual(['complete', 'complete']);
  });

  it('is told why it may not watch', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = follow(id, await t.person());
    await expect.poll(() => stream.ended, within).toBe('complete');
    expect(stream.received).toMatchObject([
      { errors: [{ message: 'Order not found.', extensions: { code: 'NOT_FOUND', details: [] } }] },
    ]);
  });

  it('comes back by itself after it was interrupted, and sees what it missed', async () => {
    const id = await emptyOrder(t, shop, customer);
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
  const ask = (headers: Record<string, string>, address = url, init: RequestInit = {}) =>
    fetch(address, { headers: { accept: 'text/event-stream', ...headers }, ...init });

  it('has the headers of a stream, and is kept alive while nothing happens', async () => {
    const response = await ask({ ...bearer(shop.admin), 'content-type': 'application/json' }, url, {
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
    const stream = collect(response);
    await expect.poll(() => stream.pings, within).toBeGreaterThan(2);
    await stream.close();
  });

  it('may be opened with GET', async () => {
    const id = await emptyOrder(t, shop, customer);
    const params = new URLSearchParams({ query, variables: JSON.stringify({ b: shop.businessId, id }) });
    const stream = collect(await ask(bearer(customer), `${url}?${params}`));
    await expect
      .poll(() => stream.received, within)
      .toEqual([{ data: { orderChanged: { id, status: 'PENDING' } } }]);
    await stream.close();
  });

  it('costs nothing when the client has left before the answer', async () => {
    const sql = t.db.sql.bind(t.db);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    vi.spyOn(t.db, 'sql').mockImplementation(async (text, params) => {
      if (watching() > 0) await held;
      return sql(text, params);
    });
    const left = new Promise((resolve) => {
      server.once('connection', (socket) => socket.once('close', resolve));
    });
    const sent = request(url, {
      agent: false,
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...bearer(shop.admin) },
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify({ query, variables: { b: shop.businessId } }));
    await expect.poll(watching, within).toBe(1);
    sent.destroy();
    await left;
    goOn();
    await expect.poll(watching, within).toBe(0);
  });

  it('waits for a reader that is slow, without gathering events for it', async () => {
    const id = await emptyOrder(t, shop, customer);
    const wide = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { version ${Array.from(
      { length: 900 },
      (_item, n) => `a${n}: id`,
    ).join(' ')} } }`;
    const response = await ask({ ...bearer(customer), 'content-type': 'application/json' }, url, {
      method: 'POST',
      body: JSON.stringify({ query: wide, variables: { b: shop.businessId, id } }),
    });
    for (let n = 0; n < 300; n++) {
      await t.db.sql('update orders set version = version + 1 where id = $1', [id]);
      if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const stream = collect(response);
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

describe('stopping', () => {
  it('ends open streams at once, so that clients connect to another process', async () => {
    const stopping = await testApp();
    const stoppingShop = await sellingShop(stopping);
    const buyer = await stopping.person();
    const id = await emptyOrder(stopping, stoppingShop, buyer);
    const first = createHttpServer(stopping.app.dispatch);
    const at = await listening(first);
    // Who comes back finds this one in the place of the first.
    const second = createServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`event: next\ndata: {"data":{"elsewhere":true}}\n\nevent: complete\ndata:\n\n`);
    });
    const client = createClient({ url: at, headers: bearer(buyer), retryAttempts: 20 });
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
    await new Promise<void>((resolve) => second.listen(Number(new URL(at).port), '127.0.0.1', resolve));
    await expect.poll(() => received.at(-1), within).toEqual({ data: { elsewhere: true } });
    await expect.poll(() => ended, within).toBe(true);
    client.dispose();
    second.closeAllConnections();
    await new Promise((resolve) => second.close(resolve));
  });
});

// The last one: nobody can watch here afterwards.
it('a process that stops ends its streams in an orderly way, for clients to come back', async () => {
  const body = JSON.stringify({ query, variables: { b: shop.businessId } });
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json', ...bearer(shop.admin) };
  const stream = collect(await fetch(url, { method: 'POST', headers, body }));
  const client = follow(null, shop.admin);
  await expect.poll(watching, within).toBe(2);
  t.app.services.live.stop();
  await expect.poll(() => stream.ended, within).toBe('again');
  expect(stream.retry).toBe(1000);
  // It tries again after an error of the network, and would not after `complete`.
  await expect.poll(() => client.ended, within).toMatchObject({ name: 'NetworkError' });
});

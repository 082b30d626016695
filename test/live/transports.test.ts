/** Server-sent events and WebSockets: the same cases with the clients graphql-sse and graphql-ws over real sockets. */
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { type GraphqlSocketServer, listenWithSockets } from '../support/graphql-socket-server.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

interface Result {
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string; extensions: { code: string; requestId: string } }[];
}

interface Followed {
  /** Results, and the errors that ended the operation. */
  readonly received: Result[];
  ended: 'complete' | 'interrupted' | undefined;
  /** HTTP status of a rejected request. */
  status?: number | undefined;
  leave(): void;
}

interface Request {
  query: string;
  variables?: Record<string, unknown>;
}

let t: TestApp;
let shop: SellingShop;
let customer: Person;
let server: GraphqlSocketServer;
/** Serves an app with request budgets. */
let limited: GraphqlSocketServer;
let limitedApp: TestApp;
const clients: { dispose(): void }[] = [];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' }, { ...defaultLiveOptions, paceMs: 20, recheckMs: 300 });
  shop = await createSellingShop(t);
  customer = await t.person();
  server = await listenWithSockets(t);
  limitedApp = await testApp({ REQUEST_BUDGET: '6' }, { ...defaultLiveOptions, perUser: 2 });
  limited = await listenWithSockets(limitedApp);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  await expect.poll(() => t.app.services.live.state.watching).toBe(0);
  await expect.poll(() => server.sockets.count).toBe(0);
});

const credentials = (as: Person | undefined) => (as ? { authorization: `Bearer ${as.token}` } : {});

function follow(
  client: { dispose(): void },
  subscribe: (sink: {
    next(result: unknown): void;
    error(error: unknown): void;
    complete(): void;
  }) => () => void,
): Followed {
  clients.push(client);
  const followed: Followed = { received: [], ended: undefined, leave: () => {} };
  followed.leave = subscribe({
    next: (result) => followed.received.push(result as Result),
    error(error) {
      // graphql-ws passes the errors of the message `error`.
      if (Array.isArray(error)) followed.received.push({ errors: error as NonNullable<Result['errors']> });
      followed.status = (error as { response?: Response }).response?.status;
      followed.ended = Array.isArray(error) ? 'complete' : 'interrupted';
    },
    complete() {
      followed.ended = 'complete';
    },
  });
  return followed;
}

const transports: Record<string, (request: Request, as?: Person, port?: number) => Followed> = {
  'server-sent events'(request, as, port = server.port) {
    const url = `http://127.0.0.1:${port}/graphql`;
    const client = createSseClient({ url, headers: credentials(as), retryAttempts: 0 });
    return follow(client, (sink) => client.subscribe(request, sink));
  },
  WebSocket(request, as, port = server.port) {
    const client = createWsClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: credentials(as),
      retryAttempts: 0,
    });
    return follow({ dispose: () => void client.dispose() }, (sink) => client.subscribe(request, sink));
  },
};

const orderChanged = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { id status } }`;
const watchOrder = (id: string): Request => ({ query: orderChanged, variables: { b: shop.businessId, id } });
const setStatus = (id: string, status: string) =>
  t.rest('PUT', `${shop.orders}/${id}/status`, { as: shop.admin, body: { status } });
const codesOf = ({ received }: Followed) =>
  received.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
const statusesOf = ({ received }: Followed) =>
  received.map(({ data }) => (data?.orderChanged as { status: string } | undefined)?.status);
const within = { interval: 10, timeout: 10_000 };

describe.each(Object.entries(transports))('%s', (_name, open) => {
  it('send the current state and then every change', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const followed = open(watchOrder(id), customer);
    await expect.poll(() => statusesOf(followed)[0], within).toBe('PENDING');
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => statusesOf(followed).at(-1), within).toBe('PROCESSING');
    followed.leave();
    await expect.poll(() => t.app.services.live.state.watching, within).toBe(0);
  });

  it.each<[string, () => [Request, Person | undefined], string]>([
    ['a caller without a token', () => [watchOrder(shop.businessId), undefined], 'UNAUTHENTICATED'],
    ['a record of somebody else', () => [watchOrder(shop.businessId), customer], 'NOT_FOUND'],
    ['a query without a token', () => [{ query: '{ me { id } }' }, undefined], 'UNAUTHENTICATED'],
    ['an unknown field', () => [{ query: 'subscription { nothing }' }, customer], 'BAD_REQUEST'],
    ['a syntax error', () => [{ query: 'subscription {' }, customer], 'BAD_REQUEST'],
    [
      'invalid variables',
      () => [{ query: orderChanged, variables: { b: {} } }, customer],
      'VALIDATION_FAILED',
    ],
    [
      'a query above the cost limit',
      () => [
        { query: `{ ${Array.from({ length: 99 }, (_, n) => `a${n}: _service { sdl }`).join(' ')} }` },
        customer,
      ],
      'BAD_REQUEST',
    ],
  ])('reject %s', async (_case, arguments_, code) => {
    const followed = open(...arguments_());
    await expect.poll(() => followed.ended, within).toBe('complete');
    expect(codesOf(followed)).toEqual([code]);
    expect(followed.received[0]?.errors?.[0]?.extensions.requestId).toEqual(expect.any(String));
    expect(followed.received[0]?.data ?? null).toBeNull();
  });

  it('run queries and mutations', async () => {
    const me = open({ query: '{ me { id } }' }, customer);
    await expect.poll(() => me.ended, within).toBe('complete');
    expect(me.received).toEqual([{ data: { me: { id: customer.userId } } }]);
    const mutation = open(
      {
        query: 'mutation ($i: UpdateMeInput!) { updateMe(input: $i) { user { name } } }',
        variables: { i: { name: 'Ada' } },
      },
      customer,
    );
    await expect
      .poll(() => mutation.received, within)
      .toEqual([{ data: { updateMe: { user: { name: 'Ada' } } } }]);
  });

  it('charge the request budget of the account, beyond which they are rejected', async () => {
    const person = await limitedApp.person();
    const run = async () => {
      const followed = open({ query: '{ me { id } }' }, person, limited.port);
      await expect.poll(() => followed.ended, within).toBeDefined();
      // A WebSocket gets the error of the response that has this status.
      return followed.status ?? codesOf(followed)[0] ?? 'data';
    };
    const outcomes: (string | number)[] = [];
    for (let round = 0; round < 7; round += 1) outcomes.push(await run());
    expect(outcomes.slice(0, 6)).toEqual(Array(6).fill('data'));
    expect(outcomes[6]).toBeOneOf([429, 'RATE_LIMITED']);
  });

  it('limit the subscriptions of an account', async () => {
    const person = await limitedApp.person();
    const { businessId } = await limitedApp.shop();
    const watchStock = () =>
      open(
        {
          query: 'subscription ($b: ID!) { stockChanged(businessId: $b) { sku } }',
          variables: { b: businessId },
        },
        person,
        limited.port,
      );
    const { live } = limitedApp.app.services;
    const followed = [watchStock(), watchStock()];
    await expect.poll(() => live.state.watching, within).toBe(2);
    const third = watchStock();
    await expect.poll(() => third.ended, within).toBe('complete');
    expect(codesOf(third)).toEqual(['RATE_LIMITED']);
    for (const one of followed) one.leave();
    await expect.poll(() => live.state.watching, within).toBe(0);
  });

  it('end when the account is deleted', async () => {
    const leaver = await t.person();
    const id = await createEmptyOrder(t, shop, leaver);
    const followed = open(watchOrder(id), leaver);
    await expect.poll(() => statusesOf(followed)[0], within).toBe('PENDING');
    await t.db.prisma.user.delete({ where: { id: leaver.userId } });
    await expect.poll(() => followed.ended, within).toBe('complete');
    expect(codesOf(followed)).toEqual(['UNAUTHENTICATED']);
  });
});

describe('shutdown', () => {
  it('interrupts the streams of both, so that their clients reconnect', async () => {
    const id = await createEmptyOrder(t, shop, customer);
    const followed = Object.values(transports).map((open) => open(watchOrder(id), customer));
    await expect
      .poll(() => followed.map((one) => statusesOf(one)[0]), within)
      .toEqual(['PENDING', 'PENDING']);
    t.app.services.live.stop();
    await expect
      .poll(() => followed.map(({ ended }) => ended), within)
      .toEqual(['interrupted', 'interrupted']);
  });
});

/** Clients that write, read and buy during faults, and record the responses that they get. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../src/app.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { RestRoute } from '../../../src/rest/route.ts';
import { demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { CounterChange, HistoryEvent, ReadEvent } from '../../support/history-checker.ts';
import {
  callInGraphql,
  callInRest,
  type RouteInput,
  type RouteResponse,
} from '../../support/protocol-clients.ts';
import { type Person, TestApp } from '../../support/test-app.ts';

export interface SoldProduct {
  productId: string;
  variantId: string;
}

export interface Workload {
  /** URL of a random gateway, which may be dead. */
  gateway(): string;
  /** Routes that the clients use; those of an earlier version for its clients. */
  routes: readonly RestRoute[];
  staff: Person;
  guest: Person;
  /** Ids of products that are written and read. */
  records: string[];
  /** Product whose stock is adjusted and sold. */
  soldProduct: SoldProduct;
  events: HistoryEvent[];
  changes: CounterChange[];
  /** Ids of confirmed orders. */
  orders: string[];
  /** Unexpected responses. */
  errors: string[];
  /** Number of responses by operation and status. */
  tally: Map<string, number>;
  isOver: boolean;
  /** The test has failed: clients stop retrying. */
  abandoned: boolean;
}

/** Maximum duration of an operation on a busy machine. */
const requestTimeoutMs = 20_000;

/** Test app that sends its requests to a gateway over the network, and checks that every 503 has Retry-After. */
function remoteApp({ gateway, errors }: Workload): TestApp {
  const app: Pick<App, 'fetch'> = {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? null : await request.text();
      const signal = AbortSignal.timeout(requestTimeoutMs);
      const response = await fetch(`${gateway()}${pathname}${search}`, { method, headers, body, signal });
      // A timeout has no Retry-After: a retry may take as long.
      if (response.status === 503 && !response.headers.has('retry-after')) {
        const text = await response.clone().text();
        if (!text.includes('"TIMEOUT"'))
          errors.push(`${method} ${pathname}: 503 without Retry-After: ${text}`);
      }
      return response;
    },
  };
  return new TestApp(app as App, undefined as never, []);
}

/** Expected statuses by operation; 503 is always allowed. */
const statuses: Readonly<Record<string, readonly number[]>> = {
  GetProduct: [200],
  ListProducts: [200],
  UpdateProduct: [200, 409, 412],
  AdjustStock: [200],
  Checkout: [200],
};

/** Undefined if the connection broke. */
async function call(
  load: Workload,
  dice: Dice,
  operation: keyof typeof statuses & string,
  as: Person,
  input: RouteInput,
  headers: Record<string, string> = {},
): Promise<RouteResponse | undefined> {
  const route = load.routes.find((candidate) => candidate.operation.name === operation);
  if (!route) throw new Error(`No route runs ${operation}.`);
  // If-Match is supported by REST only.
  const protocol = 'if-match' in headers || dice.chance(0.5) ? 'REST' : 'GraphQL';
  const callRoute = protocol === 'REST' ? callInRest : callInGraphql;
  const response = await callRoute(remoteApp(load), route, input, as, headers).catch((error: unknown) => {
    const { message } = error as Error;
    if (!(error instanceof TypeError && /fetch failed|terminated/.test(message)))
      load.errors.push(`${operation} in ${protocol}: ${message}`);
    return undefined;
  });
  const outcome = `${operation} ${response?.status ?? 'no response'}`;
  load.tally.set(outcome, (load.tally.get(outcome) ?? 0) + 1);
  if (response && response.status !== 503 && !statuses[operation]?.includes(response.status))
    load.errors.push(
      `${operation} in ${protocol}: ${response.status} ${JSON.stringify(response.body).slice(0, 300)}`,
    );
  return response;
}

/** Whether the response proves that the operation was executed or rejected. */
const isDefinite = (response: RouteResponse | undefined): response is RouteResponse =>
  response !== undefined && response.status !== 503;

const outcomeOf = (response: RouteResponse | undefined) =>
  response?.status === 200 ? 'ok' : isDefinite(response) ? 'failed' : 'unknown';

/** Retries with the same idempotency key until there is a definite response. */
async function callUntilDefinite(...args: Parameters<typeof call>): Promise<RouteResponse | undefined> {
  const [load, dice, operation, as, input] = args;
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const response = await call(load, dice, operation, as, input, headers);
    if (isDefinite(response)) return response;
    if (load.abandoned) return undefined;
    await sleep(dice.between(20, 200));
  }
}

interface Product {
  id: string;
  version: number;
  description: string;
}

const path = { businessId: demoShopIdsAndLogins.businessId };

export type Client = (load: Workload, dice: Dice, name: string) => Promise<void>;

export const writer: Client = async (load, dice, client) => {
  const key = dice.pick(load.records) ?? '';
  const value = newId();
  const last = load.events.findLast((event) => event.key === key && event.version !== undefined)?.version;
  const baseVersion = dice.chance(0.5) ? last : undefined;
  const headers: Record<string, string> = baseVersion === undefined ? {} : { 'if-match': `"${baseVersion}"` };
  const began = performance.now();
  const input = { path: { ...path, id: key }, body: { description: value } };
  const response = await call(load, dice, 'UpdateProduct', load.staff, input, headers);
  load.events.push({
    ...{ client, key, kind: 'write', began, ended: performance.now(), value },
    outcome: outcomeOf(response),
    ...(response?.status === 200 ? { version: (response.body as Product).version } : {}),
    ...(baseVersion === undefined ? {} : { baseVersion }),
  });
};

export const reader: Client = async (load, dice, client) => {
  await readProducts(load, dice, client, dice.chance(0.3) ? undefined : dice.pick(load.records));
};

/** Reads one product, or all in a list without `key`. Returns whether it succeeded. */
export async function readProducts(
  load: Workload,
  dice: Dice,
  client: string,
  key?: string,
): Promise<boolean> {
  const as = dice.chance(0.5) ? load.staff : load.guest;
  const began = performance.now();
  const response =
    key === undefined
      ? await call(load, dice, 'ListProducts', as, { path, query: { category: 'faults', limit: 50 } })
      : await call(load, dice, 'GetProduct', as, { path: { ...path, id: key } });
  const ended = performance.now();
  if (response?.status !== 200) return false;
  const products =
    key === undefined ? (response.body as { items: Product[] }).items : [response.body as Product];
  load.events.push(
    ...products.map(
      ({ id, version, description: value }): ReadEvent => ({
        ...{ client, key: id, kind: 'read', began, ended, version, value },
      }),
    ),
  );
  return true;
}

export const counter: Client = async (load, dice) => {
  const change = dice.oneOf([-1, 2, 5]);
  const { productId: id, variantId } = load.soldProduct;
  const input = { path: { ...path, id }, body: { variantId, change } };
  const response = await callUntilDefinite(load, dice, 'AdjustStock', load.staff, input);
  load.changes.push({ change, outcome: outcomeOf(response) });
};

export const buyer: Client = async (load, dice) => {
  const quantity = dice.between(1, 3);
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...load.soldProduct, quantity }] };
  const response = await callUntilDefinite(load, dice, 'Checkout', load.guest, { path, body });
  load.changes.push({ change: -quantity, outcome: outcomeOf(response) });
  if (response?.status === 200) load.orders.push((response.body as { orderId: string }).orderId);
};

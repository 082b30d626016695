/** People who change, read and buy while everything breaks, and remember what they were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../src/app.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { RestRoute } from '../../../src/rest/route.ts';
import { demo } from '../../../src/seed/shop-data.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { CounterChange, HistoryEvent, ReadEvent } from '../../support/history-checker.ts';
import { type Person, TestApp } from '../../support/test-app.ts';
import { type RouteInput, callInGraphql, callInRest, type RouteResponse } from '../../support/protocol-clients.ts';

export interface Sold {
  productId: string;
  variantId: string;
}

export interface Workload {
  /** The address of any of the gateways; it may be dead. */
  gateway(): string;
  /** The operations as these people know them: those of an earlier version, for its clients. */
  rows: readonly RestRoute[];
  staff: Person;
  guest: Person;
  /** Products that are changed and read, by id. */
  records: string[];
  /** What is counted and sold. */
  pot: Sold;
  events: HistoryEvent[];
  changes: CounterChange[];
  /** Those that a buyer was told of. */
  orders: string[];
  /** Answers that nobody should get. */
  faults: string[];
  /** How often each operation got which status. */
  tally: Map<string, number>;
  over: boolean;
  /** Nobody waits for the rest: the test has failed already. */
  abandoned: boolean;
}

/** What an operation may take, with a machine that is busy. */
const patienceMs = 20_000;

/** Calls a gateway over the network as tests call an app, and looks at what every answer has to have. */
function remote({ gateway, faults }: Workload): TestApp {
  const app: Pick<App, 'fetch'> = {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? null : await request.text();
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(`${gateway()}${pathname}${search}`, { method, headers, body, signal });
      // What took too long may take as long again: nobody is told to come back for it.
      if (answer.status === 503 && !answer.headers.has('retry-after')) {
        const text = await answer.clone().text();
        if (!text.includes('"TIMEOUT"'))
          faults.push(`${method} ${pathname}: 503 without Retry-After: ${text}`);
      }
      return answer;
    },
  };
  return new TestApp(app as App, undefined as never, []);
}

/** What these may be answered with; any may be told to come back. */
const statuses: Readonly<Record<string, readonly number[]>> = {
  GetProduct: [200],
  ListProducts: [200],
  UpdateProduct: [200, 409, 412],
  AdjustStock: [200],
  Checkout: [200],
};

/** Undefined when there was no answer. */
async function ask(
  load: Workload,
  dice: Dice,
  operation: keyof typeof statuses & string,
  as: Person,
  asked: RouteInput,
  headers: Record<string, string> = {},
): Promise<RouteResponse | undefined> {
  const row = load.rows.find((one) => one.operation.name === operation);
  if (!row) throw new Error(`No row runs ${operation}.`);
  // The condition is a header in one voice only.
  const voice = 'if-match' in headers || dice.chance(0.5) ? 'REST' : 'GraphQL';
  const speak = voice === 'REST' ? callInRest : callInGraphql;
  const told = await speak(remote(load), row, asked, as, headers).catch((error: unknown) => {
    const { message } = error as Error;
    if (!(error instanceof TypeError && /fetch failed|terminated/.test(message)))
      load.faults.push(`${operation} in ${voice}: ${message}`);
    return undefined;
  });
  const outcome = `${operation} ${told?.status ?? 'no answer'}`;
  load.tally.set(outcome, (load.tally.get(outcome) ?? 0) + 1);
  if (told && told.status !== 503 && !statuses[operation]?.includes(told.status))
    load.faults.push(`${operation} in ${voice}: ${told.status} ${JSON.stringify(told.body).slice(0, 300)}`);
  return told;
}

const known = (told: RouteResponse | undefined): told is RouteResponse => told !== undefined && told.status !== 503;

const outcomeOf = (told: RouteResponse | undefined) =>
  told?.status === 200 ? 'ok' : known(told) ? 'failed' : 'unknown';

/** Under one key, until there is an answer. */
async function askUntilKnown(...asked: Parameters<typeof ask>): Promise<RouteResponse | undefined> {
  const [load, dice, operation, as, what] = asked;
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const told = await ask(load, dice, operation, as, what, headers);
    if (known(told)) return told;
    if (load.abandoned) return undefined;
    await sleep(dice.between(20, 200));
  }
}

interface Shown {
  id: string;
  version: number;
  description: string;
}

const path = { businessId: demo.businessId };

export type Client = (load: Workload, dice: Dice, name: string) => Promise<void>;

export const writer: Client = async (load, dice, client) => {
  const key = dice.pick(load.records) ?? '';
  const value = newId();
  const last = load.events.findLast((event) => event.key === key && event.version !== undefined)?.version;
  const on = dice.chance(0.5) ? last : undefined;
  const headers: Record<string, string> = on === undefined ? {} : { 'if-match': `"${on}"` };
  const began = performance.now();
  const asked = { path: { ...path, id: key }, body: { description: value } };
  const told = await ask(load, dice, 'UpdateProduct', load.staff, asked, headers);
  const isDone = told?.status === 200;
  load.events.push({
    ...{ client, key, kind: 'write', began, ended: performance.now(), value },
    outcome: outcomeOf(told),
    ...(isDone ? { version: (told.body as Shown).version } : {}),
    ...(on === undefined ? {} : { baseVersion: on }),
  });
};

export const reader: Client = async (load, dice, client) => {
  await look(load, dice, client, dice.chance(0.3) ? undefined : dice.pick(load.records));
};

/** At one, or at all of them in a list. Whether there was an answer. */
export async function look(load: Workload, dice: Dice, client: string, key?: string): Promise<boolean> {
  const as = dice.chance(0.5) ? load.staff : load.guest;
  const began = performance.now();
  const told =
    key === undefined
      ? await ask(load, dice, 'ListProducts', as, { path, query: { category: 'faults', limit: 50 } })
      : await ask(load, dice, 'GetProduct', as, { path: { ...path, id: key } });
  const ended = performance.now();
  if (told?.status !== 200) return false;
  const shown = key === undefined ? (told.body as { items: Shown[] }).items : [told.body as Shown];
  load.events.push(
    ...shown.map(
      ({ id, version, description: value }): ReadEvent => ({
        ...{ client, key: id, kind: 'read', began, ended, version, value },
      }),
    ),
  );
  return true;
}

export const counter: Client = async (load, dice) => {
  const change = dice.oneOf([-1, 2, 5]);
  const { productId: id, variantId } = load.pot;
  const asked = { path: { ...path, id }, body: { variantId, change } };
  const told = await askUntilKnown(load, dice, 'AdjustStock', load.staff, asked);
  load.changes.push({ change, outcome: outcomeOf(told) });
};

export const buyer: Client = async (load, dice) => {
  const quantity = dice.between(1, 3);
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...load.pot, quantity }] };
  const told = await askUntilKnown(load, dice, 'Checkout', load.guest, { path, body });
  load.changes.push({ change: -quantity, outcome: outcomeOf(told) });
  if (told?.status === 200) load.orders.push((told.body as { orderId: string }).orderId);
};

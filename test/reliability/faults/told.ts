/** What a workload needs to begin, and whether all that its people were told is true in the end. */
import pg from 'pg';
import { routes } from '../../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../../src/rest/route.ts';
import { demo } from '../../../src/seed/shop-data.ts';
import { Dice } from '../../simulation/seeded-random.ts';
import { counterHistoryErrors, recordHistoryErrors, type InitialRecord } from '../../support/history-checker.ts';
import { fetchWithRetry } from '../../support/gateway-process.ts';
import { buyer, type Client, counter, reader, type Workload, writer } from './workload.ts';

const stock = 10_000;

export interface Opened {
  load: Workload;
  /** What the records were before all of it, by id. */
  starts: Map<string, InitialRecord>;
}

export async function asked<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

export const send = async <Body>(at: string, path: string, body: object, token = ''): Promise<Body> => {
  const headers = { 'content-type': 'application/json', authorization: token && `Bearer ${token}` };
  const answer = await fetchWithRetry(at + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
};

/** Goods in the demo shop, and people who are signed in; `gateway` says whom they ask next. */
export async function opened(
  at: string,
  gateway: () => string,
  known: readonly RestRoute[] = routes,
): Promise<Opened> {
  const signIn = async (body: object) => ({
    userId: '',
    token: (await send<{ accessToken: string }>(at, '/v1/users/login', body)).accessToken,
  });
  const { email, password, businessId } = demo;
  const staff = await signIn({ provider: 'EMAIL', email, password });
  const guest = await signIn({ provider: 'GUEST' });
  const add = (name: string) =>
    send<{ id: string; version: number; variants: { id: string }[] }>(
      at,
      `/v1/businesses/${businessId}/products`,
      {
        name,
        status: 'ACTIVE',
        category: name === 'Pot' ? 'pots' : 'faults',
        description: 'start',
        variants: [
          {
            name: 'Small',
            sku: `FAULTS-${name}`,
            pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 1000 }] },
            inventory: { tracked: true, quantity: stock },
          },
        ],
      },
      staff.token,
    );
  const starts: Opened['starts'] = new Map();
  for (const name of ['One', 'Two', 'Three']) {
    const { id, version } = await add(name);
    starts.set(id, { version, value: 'start' });
  }
  const pot = await add('Pot');
  const load: Workload = {
    ...{ gateway, rows: known, staff, guest, records: [...starts.keys()] },
    pot: { productId: pot.id, variantId: pot.variants[0]?.id ?? '' },
    ...{ events: [], changes: [], orders: [], faults: [], tally: new Map(), over: false, abandoned: false },
  };
  return { load, starts };
}

const clients: readonly Client[] = [writer, writer, writer, reader, reader, counter, buyer, buyer];

/** Until it is over. */
export async function everybody(load: Workload, seed: number): Promise<void> {
  await Promise.all(
    clients.map(async (client, index) => {
      const dice = new Dice(seed * 1000 + index);
      while (!load.over) await client(load, dice, `client ${index}`);
    }),
  );
}

/** What is not as people were told, in the database at `url`. */
export async function lies({ load, starts }: Opened, url: string): Promise<string[]> {
  const { variantId } = load.pot;
  const ofRecords = [...starts].flatMap(([id, start]) =>
    recordHistoryErrors(
      start,
      load.events.filter(({ key }) => key === id),
    ),
  );
  const [left] = await asked<{ quantity: number }>(
    url,
    `select quantity from variants where id = '${variantId}'`,
  );
  const kept = await asked<{ id: string }>(
    url,
    `select id from orders where status <> 'CANCELLED' and lines::text like '%${variantId}%'`,
  );
  const [inBooks, told] = [new Set(kept.map(({ id }) => id)), new Set(load.orders)];
  return [
    ...ofRecords,
    ...counterHistoryErrors(stock, left?.quantity ?? 0, load.changes),
    ...[...told].filter((id) => !inBooks.has(id)).map((id) => `order ${id} is lost`),
    ...[...inBooks].filter((id) => !told.has(id)).map((id) => `nobody was told of order ${id}`),
  ];
}

export const tallyOf = ({ tally }: Workload): string =>
  [...tally]
    .sort()
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');

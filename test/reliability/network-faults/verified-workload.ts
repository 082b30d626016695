/** Prepares the workload in the demo shop, runs its clients, and compares their responses with the database at the end. */
import pg from 'pg';
import { routes } from '../../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../../src/rest/route.ts';
import { demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import { Dice } from '../../simulation/seeded-random.ts';
import { fetchWithRetry } from '../../support/gateway-process.ts';
import {
  counterHistoryErrors,
  type InitialRecord,
  recordHistoryErrors,
} from '../../support/history-checker.ts';
import { buyer, type Client, counter, reader, type Workload, writer } from './workload.ts';

const stock = 10_000;

export interface PreparedWorkload {
  load: Workload;
  /** Initial state of the records, by id. */
  initialRecords: Map<string, InitialRecord>;
}

export async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

export const post = async <Body>(url: string, path: string, body: object, token = ''): Promise<Body> => {
  const headers = { 'content-type': 'application/json', authorization: token && `Bearer ${token}` };
  const response = await fetchWithRetry(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
};

/** Creates products in the demo shop and signs clients in. `gateway` returns the URL for the next request. */
export async function prepareWorkload(
  url: string,
  gateway: () => string,
  clientRoutes: readonly RestRoute[] = routes,
): Promise<PreparedWorkload> {
  const signIn = async (body: object) => ({
    userId: '',
    token: (await post<{ accessToken: string }>(url, '/v1/users/login', body)).accessToken,
  });
  const { email, password, businessId } = demoShopIdsAndLogins;
  const staff = await signIn({ provider: 'EMAIL', email, password });
  const guest = await signIn({ provider: 'GUEST' });
  const addProduct = (name: string) =>
    post<{ id: string; version: number; variants: { id: string }[] }>(
      url,
      `/v1/businesses/${businessId}/products`,
      {
        name,
        status: 'ACTIVE',
        category: name === 'Sold' ? 'sold' : 'faults',
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
  const initialRecords: PreparedWorkload['initialRecords'] = new Map();
  for (const name of ['One', 'Two', 'Three']) {
    const { id, version } = await addProduct(name);
    initialRecords.set(id, { version, value: 'start' });
  }
  const soldProduct = await addProduct('Sold');
  const load: Workload = {
    ...{ gateway, routes: clientRoutes, staff, guest, records: [...initialRecords.keys()] },
    soldProduct: { productId: soldProduct.id, variantId: soldProduct.variants[0]?.id ?? '' },
    ...{ events: [], changes: [], orders: [], errors: [], tally: new Map(), isOver: false, abandoned: false },
  };
  return { load, initialRecords };
}

const clients: readonly Client[] = [writer, writer, writer, reader, reader, counter, buyer, buyer];

/** Runs all clients until `load.isOver`. */
export async function runClients(load: Workload, seed: number): Promise<void> {
  await Promise.all(
    clients.map(async (client, index) => {
      const dice = new Dice(seed * 1000 + index);
      while (!load.isOver) await client(load, dice, `client ${index}`);
    }),
  );
}

/** Differences between the responses that clients got and the database at `url`. */
export async function consistencyErrors(
  { load, initialRecords }: PreparedWorkload,
  url: string,
): Promise<string[]> {
  const { variantId } = load.soldProduct;
  const recordErrors = [...initialRecords].flatMap(([id, initial]) =>
    recordHistoryErrors(
      initial,
      load.events.filter(({ key }) => key === id),
    ),
  );
  const [variant] = await query<{ quantity: number }>(
    url,
    `select quantity from variants where id = '${variantId}'`,
  );
  const rows = await query<{ id: string }>(
    url,
    `select id from orders where status <> 'CANCELLED' and lines::text like '%${variantId}%'`,
  );
  const [storedOrders, confirmedOrders] = [new Set(rows.map(({ id }) => id)), new Set(load.orders)];
  return [
    ...recordErrors,
    ...counterHistoryErrors(stock, variant?.quantity ?? 0, load.changes),
    ...[...confirmedOrders].filter((id) => !storedOrders.has(id)).map((id) => `order ${id} is lost`),
    ...[...storedOrders]
      .filter((id) => !confirmedOrders.has(id))
      .map((id) => `order ${id} was not confirmed to any client`),
  ];
}

export const formatTally = ({ tally }: Workload): string =>
  [...tally]
    .sort()
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');

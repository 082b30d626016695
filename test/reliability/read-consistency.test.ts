/**
 * Read consistency with two gateways under concurrent writes: no read is older than a write that was confirmed before it began, and no viewer
 * gets a cached response of another kind of viewer. `FRESH_READS=100000` runs longer.
 */
import { beforeAll, expect, it } from 'vitest';
import { loadGatewayKeys } from '../../src/auth/gateway-keys.ts';
import { createJwtService } from '../../src/auth/sign-and-verify-tokens.ts';
import { openDb } from '../../src/db/open-db.ts';
import { GetProductDocument, ListProductsDocument } from '../../src/generated/operations.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';

const reads = Number(process.env.FRESH_READS ?? 1000);
const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`;

interface Product {
  id: string;
  name: string;
  version: number;
  statuses: { status: string }[];
}

/** Writes to a product. */
interface TrackedProduct {
  id: string;
  slug: string;
  /** Highest confirmed version. */
  confirmed: number;
  /** Number of started writes, which is the upper bound of the version. */
  startedWrites: number;
  /** Content of each confirmed version. */
  history: Map<number, { name: string; status: string }>;
}

const tracked: TrackedProduct[] = [];
const errors: string[] = [];
/** Reads, compared with the histories once these are complete. */
const observations: { product: TrackedProduct; version: number; name: string; status: string }[] = [];
/** Reads in which the product was not visible. */
const hidden: { product: TrackedProduct; from: number; to: number }[] = [];

let gateways: [Gateway, Gateway];
let staff: Record<string, string>;
let guest: Record<string, string>;

beforeAll(async () => {
  const url = await auditedDatabaseUrl();
  const env = { DATABASE_URL: url, SEED_DEMO: 'on' };
  gateways = [await startGateway(env), await startGateway(env)];
  const db = await openDb({ url });
  const { token } = await createJwtService(await loadGatewayKeys(db, undefined)).issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  });
  await db.close();
  const type = { 'content-type': 'application/json' };
  staff = { ...type, authorization: `Bearer ${token}` };
  const login = await fetch(`${gateways[0].url}/v1/users/login`, {
    method: 'POST',
    headers: type,
    body: JSON.stringify({ provider: 'GUEST', phoneNumber: '+36301234567' }),
  });
  guest = {
    ...type,
    authorization: `Bearer ${((await login.json()) as { accessToken: string }).accessToken}`,
  };
  for (let index = 0; index < 6; index += 1) {
    const created = await send<Product>('POST', path, staff, { name: 'v1', slug: `tracked-${index}` });
    const history = new Map([[1, { name: 'v1', status: 'ACTIVE' }]]);
    tracked.push({ id: created.body.id, slug: `tracked-${index}`, confirmed: 1, startedWrites: 1, history });
  }
});

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

async function send<Body>(method: string, at: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(`${pick(gateways).url}${at}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

async function write(): Promise<void> {
  const product = pick(tracked);
  product.startedWrites += 1;
  const name = `n${Math.random()}`;
  const status = Math.random() < 0.3 ? pick(['ACTIVE', 'DRAFT']) : undefined;
  const change = { name, ...(status ? { statuses: [{ status }] } : {}) };
  const { status: code, body } = await send<Product>('PUT', `${path}/${product.id}`, staff, change);
  if (code !== 200) return void errors.push(`a write failed with ${code}`);
  product.history.set(body.version, { name: body.name, status: body.statuses.at(-1)?.status ?? '' });
  product.confirmed = Math.max(product.confirmed, body.version);
}

/** `from` is the version that was confirmed when the read began. */
function check(
  product: TrackedProduct,
  from: number,
  result: Product | null | undefined,
  isStaff: boolean,
): void {
  if (!result) {
    if (isStaff) errors.push('staff got no product');
    hidden.push({ product, from, to: product.startedWrites });
    return;
  }
  const status = result.statuses.at(-1)?.status ?? '';
  if (result.version < from) errors.push(`version ${result.version} after ${from} was confirmed`);
  if (!isStaff && status !== 'ACTIVE') errors.push(`a guest got a ${status} product`);
  observations.push({ product, version: result.version, name: result.name, status });
}

type Read = (headers: Record<string, string>, isStaff: boolean) => Promise<void>;

const restGet: Read = async (headers, isStaff) => {
  const product = pick(tracked);
  const from = product.confirmed;
  const { status, body } = await send<Product>('GET', `${path}/${pick([product.id, product.slug])}`, headers);
  check(product, from, status === 200 ? body : undefined, isStaff);
};

const graphqlGet: Read = async (headers, isStaff) => {
  const product = pick(tracked);
  const from = product.confirmed;
  const variables = { businessId: demoShopIdsAndLogins.businessId, id: product.id };
  const query = GetProductDocument.toString();
  const { body } = await send<{ data: { product: Product | null } }>('POST', '/graphql', headers, {
    query,
    variables,
  });
  check(product, from, body.data.product, isStaff);
};

const checkPage = (items: readonly Product[], from: readonly number[], isStaff: boolean) => {
  for (const [index, product] of tracked.entries())
    check(
      product,
      from[index] ?? 0,
      items.find(({ id }) => id === product.id),
      isStaff,
    );
};

const restList: Read = async (headers, isStaff) => {
  const from = tracked.map(({ confirmed }) => confirmed);
  const { body } = await send<{ items: Product[] }>('GET', `${path}?limit=20`, headers);
  checkPage(body.items, from, isStaff);
};

const graphqlList: Read = async (headers, isStaff) => {
  const from = tracked.map(({ confirmed }) => confirmed);
  const variables = { businessId: demoShopIdsAndLogins.businessId, first: 20 };
  const query = ListProductsDocument.toString();
  const { body } = await send<{ data: { products: { nodes: Product[] } } }>('POST', '/graphql', headers, {
    query,
    variables,
  });
  checkPage(body.data.products.nodes, from, isStaff);
};

const conditionalGet: Read = async (headers) => {
  const product = pick(tracked);
  const first = await send('GET', `${path}/${product.id}`, headers);
  const from = product.confirmed;
  const second = await send('GET', `${path}/${product.id}`, { ...headers, 'if-none-match': first.etag });
  const version = Number(/\d+/.exec(first.etag)?.[0]);
  if (second.status === 304 && version < from) errors.push(`304 for ${version} after ${from} was confirmed`);
};

it('returns confirmed writes, and only products that the viewer may see', async () => {
  let remaining = reads;
  const reader = async () => {
    while (remaining > 0) {
      remaining -= 1;
      const isStaff = Math.random() < 0.5;
      await pick([restGet, graphqlGet, restList, graphqlList, conditionalGet])(
        isStaff ? staff : guest,
        isStaff,
      );
    }
  };
  const writer = async () => {
    while (remaining > 0) await write();
  };
  await Promise.all([...Array.from({ length: 12 }, reader), writer(), writer(), writer()]);

  for (const { product, version, name, status } of observations) {
    const written = product.history.get(version);
    if (written?.name !== name || written.status !== status)
      errors.push(`version ${version} as ${name}, ${status}`);
  }
  for (const { product, from, to } of hidden) {
    const versions = Array.from({ length: to - from + 1 }, (_, index) => product.history.get(from + index));
    if (!versions.some((version) => version?.status === 'DRAFT'))
      errors.push(`hidden between ${from} and ${to}`);
  }
  expect(errors).toEqual([]);
  expect(observations.length).toBeGreaterThan(reads / 2);
}, 3_600_000);

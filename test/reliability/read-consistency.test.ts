/**
 * Two gateways, writers and readers: no read is older than a change that was confirmed before it began, and nobody is shown the text
 * of another kind of viewer. `FRESH_READS=100000` reads for longer.
 */
import { beforeAll, expect, it } from 'vitest';
import { loadSigningKeys } from '../../src/auth/signing-keys.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { openDb } from '../../src/db/open.ts';
import { GetProductDocument, ListProductsDocument } from '../../src/generated/operations.ts';
import { demo } from '../../src/seed/shop-data.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';

const reads = Number(process.env.FRESH_READS ?? 1000);
const path = `/v1/businesses/${demo.businessId}/products`;

interface Shown {
  id: string;
  name: string;
  version: number;
  statuses: { status: string }[];
}

/** What the writers know of a product. */
interface Watched {
  id: string;
  slug: string;
  /** The highest version that was confirmed. */
  confirmed: number;
  /** How many changes were begun: no version can be above this one. */
  begun: number;
  /** What each confirmed version holds. */
  history: Map<number, { name: string; status: string }>;
}

const watched: Watched[] = [];
const faults: string[] = [];
/** What readers saw, to be held against the histories once they are complete. */
const seen: { of: Watched; version: number; name: string; status: string }[] = [];
const hidden: { of: Watched; from: number; to: number }[] = [];

let gateways: [Gateway, Gateway];
let staff: Record<string, string>;
let guest: Record<string, string>;

beforeAll(async () => {
  const url = await auditedDatabaseUrl();
  const env = { DATABASE_URL: url, SEED_DEMO: 'on' };
  gateways = [await startGateway(env), await startGateway(env)];
  const db = await openDb({ url });
  const { token } = await createTokens(await loadSigningKeys(db, undefined)).issueAccess({
    sub: demo.adminId,
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
    const made = await send<Shown>('POST', path, staff, { name: 'v1', slug: `watched-${index}` });
    const history = new Map([[1, { name: 'v1', status: 'ACTIVE' }]]);
    watched.push({ id: made.body.id, slug: `watched-${index}`, confirmed: 1, begun: 1, history });
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
  const of = pick(watched);
  of.begun += 1;
  const name = `n${Math.random()}`;
  const status = Math.random() < 0.3 ? pick(['ACTIVE', 'DRAFT']) : undefined;
  const change = { name, ...(status ? { statuses: [{ status }] } : {}) };
  const { status: code, body } = await send<Shown>('PUT', `${path}/${of.id}`, staff, change);
  if (code !== 200) return void faults.push(`a change answered ${code}`);
  of.history.set(body.version, { name: body.name, status: body.statuses.at(-1)?.status ?? '' });
  of.confirmed = Math.max(of.confirmed, body.version);
}

/** `from` is what had been confirmed when the read began. */
function check(of: Watched, from: number, shown: Shown | null | undefined, isStaff: boolean): void {
  if (!shown) {
    if (isStaff) faults.push('staff was shown nothing');
    hidden.push({ of, from, to: of.begun });
    return;
  }
  const status = shown.statuses.at(-1)?.status ?? '';
  if (shown.version < from) faults.push(`version ${shown.version} after ${from} was confirmed`);
  if (!isStaff && status !== 'ACTIVE') faults.push(`a guest was shown a ${status} product`);
  seen.push({ of, version: shown.version, name: shown.name, status });
}

type Read = (headers: Record<string, string>, isStaff: boolean) => Promise<void>;

const restGet: Read = async (headers, isStaff) => {
  const of = pick(watched);
  const from = of.confirmed;
  const { status, body } = await send<Shown>('GET', `${path}/${pick([of.id, of.slug])}`, headers);
  check(of, from, status === 200 ? body : undefined, isStaff);
};

const graphqlGet: Read = async (headers, isStaff) => {
  const of = pick(watched);
  const from = of.confirmed;
  const variables = { businessId: demo.businessId, id: of.id };
  const query = GetProductDocument.toString();
  const { body } = await send<{ data: { product: Shown | null } }>('POST', '/graphql', headers, {
    query,
    variables,
  });
  check(of, from, body.data.product, isStaff);
};

const checkPage = (items: readonly Shown[], from: readonly number[], isStaff: boolean) => {
  for (const [index, of] of watched.entries())
    check(
      of,
      from[index] ?? 0,
      items.find(({ id }) => id === of.id),
      isStaff,
    );
};

const restList: Read = async (headers, isStaff) => {
  const from = watched.map(({ confirmed }) => confirmed);
  const { body } = await send<{ items: Shown[] }>('GET', `${path}?limit=20`, headers);
  checkPage(body.items, from, isStaff);
};

const graphqlList: Read = async (headers, isStaff) => {
  const from = watched.map(({ confirmed }) => confirmed);
  const variables = { businessId: demo.businessId, first: 20 };
  const query = ListProductsDocument.toString();
  const { body } = await send<{ data: { products: { nodes: Shown[] } } }>('POST', '/graphql', headers, {
    query,
    variables,
  });
  checkPage(body.data.products.nodes, from, isStaff);
};

const unchanged: Read = async (headers) => {
  const of = pick(watched);
  const known = await send('GET', `${path}/${of.id}`, headers);
  const from = of.confirmed;
  const again = await send('GET', `${path}/${of.id}`, { ...headers, 'if-none-match': known.etag });
  const version = Number(/\d+/.exec(known.etag)?.[0]);
  if (again.status === 304 && version < from) faults.push(`304 for ${version} after ${from} was confirmed`);
};

it('reads what was confirmed, and nobody reads what is not theirs', async () => {
  let left = reads;
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      const isStaff = Math.random() < 0.5;
      await pick([restGet, graphqlGet, restList, graphqlList, unchanged])(isStaff ? staff : guest, isStaff);
    }
  };
  const writer = async () => {
    while (left > 0) await write();
  };
  await Promise.all([...Array.from({ length: 12 }, reader), writer(), writer(), writer()]);

  for (const { of, version, name, status } of seen) {
    const written = of.history.get(version);
    if (written?.name !== name || written.status !== status)
      faults.push(`version ${version} as ${name}, ${status}`);
  }
  for (const { of, from, to } of hidden) {
    const versions = Array.from({ length: to - from + 1 }, (_, index) => of.history.get(from + index));
    if (!versions.some((version) => version?.status === 'DRAFT'))
      faults.push(`hidden between ${from} and ${to}`);
  }
  expect(faults).toEqual([]);
  expect(seen.length).toBeGreaterThan(reads / 2);
}, 3_600_000);

/** Benchmark cases of the bare server and of the gateway, each with the bare case that it is compared with. */
import { randomUUID } from 'node:crypto';
import { GetProductDocument, ListProductsDocument } from '../src/generated/operations.ts';
import { httpRequest, type Target } from './load.ts';
import type { Running } from './servers.ts';
import { hotProducts, newProduct, type World } from './world.ts';

export interface Case {
  name: string;
  server: Running;
  target: Target;
  /** Name of the bare case that it is compared with; absent on bare cases. */
  bare?: string;
  /** Minimum ratio to the bare case; absent: no limit. */
  minRatio?: number;
}

export function bareCases(world: World, server: Running, prefix: string): Case[] {
  const toCase = (name: string, request: () => string): Case => ({
    name: `${prefix} ${name}`,
    server,
    target: { port: server.port, request },
  });
  const cases = [
    toCase('first page', () => httpRequest('GET', '/products', {})),
    toCase('page', () => httpRequest('GET', `/products?after=${world.randomId(hotProducts)}`, {})),
    toCase('deep page', () =>
      httpRequest('GET', `/products?after=${world.randomId(Number.POSITIVE_INFINITY)}`, {}),
    ),
    toCase('get', () => httpRequest('GET', `/products/${world.randomId(hotProducts)}`, {})),
    toCase('cold get', () => httpRequest('GET', `/products/${world.randomId(Number.POSITIVE_INFINITY)}`, {})),
    toCase('create', () => httpRequest('POST', '/products', {}, newProduct())),
    toCase('checkout', () => httpRequest('POST', '/checkout', newKey(), world.checkoutBody())),
    toCase('hot checkout', () => httpRequest('POST', '/checkout', newKey(), world.hotCheckoutBody())),
  ];
  const mixed = mixOf((name) => cases.find((item) => item.name === `${prefix} ${name}`));
  return [...cases, toCase('mixed', mixed)];
}

/** Requests of a shop, by case and percent. */
const mix = { get: 45, 'cold get': 20, 'first page': 15, page: 8, 'deep page': 4, create: 2, checkout: 6 };

/** Builds requests of several cases in random order. */
function mixOf(find: (name: string) => Case | undefined): () => string {
  const targets = Object.entries(mix).flatMap(([name, percent]) => {
    const target = find(name)?.target;
    return target ? Array.from({ length: percent }, () => target) : [];
  });
  return () => targets[Math.floor(Math.random() * targets.length)]?.request() ?? '';
}

const newKey = () => ({ 'idempotency-key': randomUUID() });

const documents = { list: ListProductsDocument.toString(), get: GetProductDocument.toString() };

export async function duetCases(world: World, server: Running, prefix: string): Promise<Case[]> {
  const auth = { authorization: `Bearer ${world.token}` };
  const business = `/v1/businesses/${world.businessId}`;
  const { businessId } = world;
  const all = Number.POSITIVE_INFINITY;
  const rest = (path: string, headers: Record<string, string> = {}) =>
    httpRequest('GET', `${business}${path}`, { ...auth, ...headers });
  const graphql = (query: string, variables: object) =>
    httpRequest('POST', '/graphql', auth, JSON.stringify({ query, variables: { businessId, ...variables } }));
  const toCase = (name: string, bare: string, minRatio: number | undefined, request: () => string): Case => ({
    name: `${prefix}${name}`,
    server,
    target: { port: server.port, request },
    bare: `bare ${bare}`,
    ...(minRatio === undefined ? {} : { minRatio }),
  });
  const cursor = (count = hotProducts) => world.cursorAfter(world.randomId(count));
  const tags = await loadEtags(
    server,
    Array.from({ length: 100 }, () => world.randomId(hotProducts)),
    (id) => `${business}/products/${id}`,
    auth,
  );
  const randomTag = () => tags[Math.floor(Math.random() * tags.length)] ?? { id: '', etag: '' };
  const cases = [
    toCase('REST first page', 'first page', 3, () => rest('/products?limit=20')),
    toCase('GraphQL first page', 'first page', 3, () => graphql(documents.list, { first: 20 })),
    toCase('REST page', 'page', 2, () => rest(`/products?limit=20&cursor=${cursor()}`)),
    toCase('GraphQL page', 'page', 2, () => graphql(documents.list, { first: 20, after: cursor() })),
    toCase('REST deep page', 'deep page', 0.6, () => rest(`/products?limit=20&cursor=${cursor(all)}`)),
    toCase('GraphQL deep page', 'deep page', 0.6, () =>
      graphql(documents.list, { first: 20, after: cursor(all) }),
    ),
    toCase('REST get', 'get', 1.2, () => rest(`/products/${world.randomId(hotProducts)}`)),
    toCase('GraphQL get', 'get', 1.2, () => graphql(documents.get, { id: world.randomId(hotProducts) })),
    toCase('REST cold get', 'cold get', 0.7, () => rest(`/products/${world.randomId(all)}`)),
    toCase('GraphQL cold get', 'cold get', 0.7, () => graphql(documents.get, { id: world.randomId(all) })),
    toCase('REST 304', 'get', 1.4, () => {
      const { id, etag } = randomTag();
      return rest(`/products/${id}`, { 'if-none-match': etag });
    }),
    toCase('REST entry by slug', 'get', undefined, () => rest('/entries/pour-over-for-beginners')),
    toCase('REST orders', 'first page', undefined, () => rest('/orders?limit=20')),
    toCase('REST create', 'create', 0.7, () =>
      httpRequest('POST', `/v1/businesses/${world.duetShop}/products`, auth, newProduct()),
    ),
    toCase('REST checkout', 'checkout', 0.35, () =>
      httpRequest('POST', `${business}/orders/checkout`, { ...auth, ...newKey() }, world.checkoutBody()),
    ),
    toCase('REST hot checkout', 'hot checkout', 0.35, () =>
      httpRequest('POST', `${business}/orders/checkout`, { ...auth, ...newKey() }, world.hotCheckoutBody()),
    ),
  ];
  const mixed = mixOf((name) => cases.find((item) => item.name === `${prefix}REST ${name}`));
  return [...cases, toCase('REST mixed', 'mixed', 0.7, mixed)];
}

/** ETags of products, for conditional requests. */
async function loadEtags(
  { port }: Running,
  ids: readonly string[],
  pathOf: (id: string) => string,
  headers: Record<string, string>,
): Promise<{ id: string; etag: string }[]> {
  const tags: { id: string; etag: string }[] = [];
  for (const id of ids) {
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(id)}`, { headers });
    await response.text();
    tags.push({ id, etag: response.headers.get('etag') ?? '' });
  }
  return tags;
}

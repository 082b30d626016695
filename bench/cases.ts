/** What is measured, and what each is held against. */
import { GetProductDocument, ListProductsDocument } from '../src/generated/operations.ts';
import { httpRequest, type Target } from './load.ts';
import type { Running } from './servers.ts';
import { hot, newProduct, type World } from './world.ts';

export interface Case {
  name: string;
  server: Running;
  target: Target;
  /** The bare case it is compared with; absent on the bare ones. */
  bare?: string;
  /** What the ratio must reach. */
  bar?: number;
}

export function bareCases(world: World, server: Running, prefix: string): Case[] {
  const of = (name: string, request: () => string): Case => ({
    name: `${prefix} ${name}`,
    server,
    target: { port: server.port, request },
  });
  return [
    of('first page', () => httpRequest('GET', '/products', {})),
    of('page', () => httpRequest('GET', `/products?after=${world.anyId(hot)}`, {})),
    of('get', () => httpRequest('GET', `/products/${world.anyId(hot)}`, {})),
    of('cold get', () => httpRequest('GET', `/products/${world.anyId(Number.POSITIVE_INFINITY)}`, {})),
    of('create', () => httpRequest('POST', '/products', {}, newProduct())),
  ];
}

const documents = { list: ListProductsDocument.toString(), get: GetProductDocument.toString() };

export async function duetCases(world: World, server: Running, prefix: string): Promise<Case[]> {
  const auth = { authorization: `Bearer ${world.token}` };
  const business = `/v1/businesses/${world.businessId}`;
  const { businessId } = world;
  const rest = (path: string, more: Record<string, string> = {}) =>
    httpRequest('GET', `${business}${path}`, { ...auth, ...more });
  const graphql = (query: string, variables: object) =>
    httpRequest('POST', '/graphql', auth, JSON.stringify({ query, variables: { businessId, ...variables } }));
  const of = (name: string, bare: string, bar: number | undefined, request: () => string): Case => ({
    name: `${prefix}${name}`,
    server,
    target: { port: server.port, request },
    bare: `bare ${bare}`,
    ...(bar === undefined ? {} : { bar }),
  });
  const cursor = () => world.cursorAfter(world.anyId(hot));
  const known = await knownTags(
    server,
    Array.from({ length: 100 }, () => world.anyId(hot)),
    (id) => `${business}/products/${id}`,
    auth,
  );
  const someTag = () => known[Math.floor(Math.random() * known.length)] ?? { id: '', etag: '' };
  const all = Number.POSITIVE_INFINITY;
  return [
    of('REST first page', 'first page', 3, () => rest('/products?limit=20')),
    of('GraphQL first page', 'first page', 3, () => graphql(documents.list, { first: 20 })),
    of('REST page', 'page', 2, () => rest(`/products?limit=20&cursor=${cursor()}`)),
    of('GraphQL page', 'page', 2, () => graphql(documents.list, { first: 20, after: cursor() })),
    of('REST get', 'get', 1.2, () => rest(`/products/${world.anyId(hot)}`)),
    of('GraphQL get', 'get', 1.2, () => graphql(documents.get, { id: world.anyId(hot) })),
    of('REST cold get', 'cold get', 0.7, () => rest(`/products/${world.anyId(all)}`)),
    of('GraphQL cold get', 'cold get', 0.7, () => graphql(documents.get, { id: world.anyId(all) })),
    of('REST 304', 'get', 1.4, () => {
      const { id, etag } = someTag();
      return rest(`/products/${id}`, { 'if-none-match': etag });
    }),
    of('REST entry by slug', 'get', undefined, () => rest('/entries/pour-over-for-beginners')),
    of('REST orders', 'first page', undefined, () => rest('/orders?limit=20')),
    of('REST create', 'create', 0.7, () =>
      httpRequest('POST', `/v1/businesses/${world.duetShop}/products`, auth, newProduct()),
    ),
    of('REST checkout', 'create', undefined, () =>
      httpRequest('POST', `${business}/orders/checkout`, auth, world.bought()),
    ),
  ];
}

/** The tags under which a client would ask again. */
async function knownTags(
  { port }: Running,
  ids: readonly string[],
  pathOf: (id: string) => string,
  headers: Record<string, string>,
): Promise<{ id: string; etag: string }[]> {
  const known: { id: string; etag: string }[] = [];
  for (const id of ids) {
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(id)}`, { headers });
    await response.text();
    known.push({ id, etag: response.headers.get('etag') ?? '' });
  }
  return known;
}

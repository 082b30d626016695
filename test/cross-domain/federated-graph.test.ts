/** Composition of the printed subgraph with another one, and a live Hive Gateway in front of both. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { composeServices } from '@theguild/federation-composition';
import { GraphQLScalarType, parse, print, visit } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

const readSubgraph = () => readFileSync('schema/subgraph.graphql', 'utf8');

/** Reviews by another team: refers to variants by id, and extends products, which it knows by slug. */
const reviewsSdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])
  type Query { latestReviews: [Review!]! }
  type Review { text: String! stars: Int! product: Product! variant: Variant! }
  type Variant @key(fields: "id", resolvable: false) { id: ID! }
  type Product @key(fields: "businessId slug") { businessId: ID! slug: String! reviews: [Review!]! }`;

const servers: Server[] = [];
const listen = async (server: Server) => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
};
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

interface Reviewed {
  businessId: string;
  slug: string;
  variantId: string;
}

function reviewsServer(reviewed: readonly Reviewed[]): Server {
  const typeDefs = `scalar _Any
    union _Entity = Product
    type Query { latestReviews: [Review!]! _entities(representations: [_Any!]!): [_Entity]! }
    type Review { text: String! stars: Int! product: Product! variant: Variant! }
    type Variant { id: ID! }
    type Product { businessId: ID! slug: String! reviews: [Review!]! }`;
  const reviewOf = (product: Reviewed) => ({
    text: `About ${product.slug}`,
    stars: 5,
    product,
    variant: { id: product.variantId },
  });
  const resolvers = {
    Query: {
      latestReviews: () => reviewed.map(reviewOf),
      _entities: (_root: unknown, { representations }: { representations: Reviewed[] }) => representations,
    },
    Product: {
      reviews: ({ slug }: Reviewed) => reviewed.filter((product) => product.slug === slug).map(reviewOf),
    },
    _Entity: { __resolveType: () => 'Product' },
    _Any: new GraphQLScalarType({ name: '_Any' }),
  };
  return createServer(createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false }));
}

const compose = (subgraph: string, url = 'http://duet.test/graphql', reviewsUrl = 'http://reviews.test') =>
  composeServices([
    { name: 'duet', typeDefs: parse(subgraph), url },
    { name: 'reviews', typeDefs: parse(reviewsSdl), url: reviewsUrl },
  ]);

let t: TestApp;
let shop: SellingShop;
let customer: Person;
let gateway: ReturnType<typeof createGatewayRuntime>;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  customer = await t.person();
  const { businessId } = shop;
  const reviewed: Reviewed[] = [];
  for (const name of ['Pot', 'Pan', 'Lid']) {
    const { productId, variantId } = await addProduct(t, shop, { price: 1000, stock: 5, name });
    const { slug } = await t.db.prisma.product.findUniqueOrThrow({ where: { id: productId } });
    reviewed.push({ businessId, slug, variantId });
  }
  const duetUrl = await listen(createHttpServer(t.app.dispatch));
  const reviewsUrl = await listen(reviewsServer(reviewed));
  const { supergraphSdl } = compose(readSubgraph(), duetUrl, reviewsUrl);
  gateway = createGatewayRuntime({
    supergraph: supergraphSdl ?? '',
    logging: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => {
        const authorization = request.headers.get('authorization');
        return authorization === null ? {} : { authorization };
      },
    },
  });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

async function query(document: string, as?: Person, variables: object = {}) {
  const response = await gateway.fetch('http://gateway.test/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
    },
    body: JSON.stringify({ query: document, variables }),
  });
  return (await response.json()) as { data?: Record<string, never>; errors?: { message: string }[] };
}

it('composes with another subgraph', () => {
  const { errors, supergraphSdl } = compose(readSubgraph());
  expect(errors ?? []).toEqual([]);
  expect(supergraphSdl).toContain('join__Graph');
});

it('does not compose when a key names a field that does not exist', () => {
  const { errors } = compose(
    readSubgraph().replace('@key(fields: "businessId slug")', '@key(fields: "handle")'),
  );
  expect(errors?.map(({ message }) => message).join()).toContain('handle');
});

it('prints every type and field of the schema', () => {
  const fieldsOf = (text: string) => {
    const fields = new Set<string>();
    visit(parse(text), {
      ObjectTypeDefinition: (node) => {
        for (const { name } of node.fields ?? []) fields.add(`${node.name.value}.${name.value}`);
      },
    });
    return fields;
  };
  const subgraph = fieldsOf(readSubgraph());
  const missing = [...fieldsOf(readFileSync('schema/schema.graphql', 'utf8'))].filter(
    (name) => !subgraph.has(name),
  );
  expect(missing).toEqual([]);
});

it('resolves references by slug and by id, with one statement each', async () => {
  const document = `{ latestReviews { stars product { id name reviews { text } } variant { name inventory { quantity } } } }`;
  t.statements.length = 0;
  const { data, errors } = await query(document, customer);
  expect(errors).toBeUndefined();
  const variant = { name: 'Small', inventory: { quantity: 5 } };
  expect(data?.latestReviews).toMatchObject(
    ['Pot', 'Pan', 'Lid'].map((name) => ({
      product: { name, reviews: [{ text: `About ${name.toLowerCase()}` }] },
      variant,
    })),
  );
  expect(t.statements).toHaveLength(2);
});

it('extends the lists of this service, with their arguments and errors', async () => {
  const document = `query ($b: ID!, $first: Int!) { products(businessId: $b, first: $first) { nodes { name reviews { stars } } } }`;
  const { data } = await query(document, customer, { b: shop.businessId, first: 2 });
  expect(data).toEqual({
    products: {
      nodes: [
        { name: 'Lid', reviews: [{ stars: 5 }] },
        { name: 'Pan', reviews: [{ stars: 5 }] },
      ],
    },
  });
  const anonymous = await query(document, undefined, { b: shop.businessId, first: 2 });
  expect(anonymous.errors?.[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
});

it('returns null for records that the viewer may not see', async () => {
  const document = `{ latestReviews { product { name } } }`;
  const archived = await t.db.prisma.product.findFirstOrThrow({
    where: { businessId: shop.businessId, slug: 'pot' },
  });
  await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${archived.id}`, {
    as: shop.admin,
    body: { status: 'ARCHIVED' },
  });
  expect((await query(document, shop.admin)).errors).toBeUndefined();
  const { errors } = await query(document, customer);
  expect(errors).toHaveLength(1);
});

it('prints the key, sharing and access directives', () => {
  const printed = new Map<string, string[]>();
  visit(parse(readSubgraph()), {
    ObjectTypeDefinition: ({ name, directives = [], fields = [] }) => {
      printed.set(name.value, directives.map(print));
      for (const field of fields)
        printed.set(`${name.value}.${field.name.value}`, (field.directives ?? []).map(print));
    },
  });
  expect(printed.get('Product')).toEqual(['@key(fields: "id")', '@key(fields: "businessId slug")']);
  expect(printed.get('PageInfo')).toEqual(['@shareable']);
  expect(printed.get('Query.product')).toEqual([]);
  expect(printed.get('Query.order')).toEqual(['@authenticated']);
  expect(printed.get('Mutation.login')).toEqual([]);
  expect(printed.get('Mutation.createProduct')).toEqual([
    '@requiresScopes(scopes: [["ADMIN"], ["PRODUCTS_WRITE"]])',
  ]);
});

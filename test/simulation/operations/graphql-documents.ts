/** GraphQL documents that no REST route runs: their results must agree with the routes, and oversized documents are rejected early. */
import { assertNoSecrets, sendRequest } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import {
  entryReadStatus,
  orderReadStatus,
  productReadStatus,
  visibleEntryIds,
  visibleOrderIds,
  visibleProductIds,
} from '../visibility.ts';
import type { Actor, KnownShop, World } from '../world.ts';
import { businessPath, type PlayOperation, pickShop } from './operation.ts';

const recordSelection =
  '... on Product { id description } ... on Entry { id blocks { value } } ... on Order { id }';
const overviewDocument = `query ($businessId: ID!, $ids: [ID!]!) {
  nodes(ids: $ids) { id ${recordSelection} }
  products(businessId: $businessId) { totalCount nodes { id description block(id: "about") { asRelationship { ${recordSelection} } } } }
  orders(businessId: $businessId) { totalCount nodes { id lines { product { id description } variant { sku } } } }
  entries(businessId: $businessId) { totalCount nodes { id block(id: "about") { asRelationship { ${recordSelection} } } } }
}`;

interface Connection {
  totalCount: number;
  nodes: { id: string }[];
}

const lists = {
  products: { operation: 'ListProducts', expected: visibleProductIds },
  orders: { operation: 'ListOrders', expected: visibleOrderIds },
  entries: { operation: 'ListEntries', expected: visibleEntryIds },
} as const;

export const readGraphql: PlayOperation = (world, { actor, dice }) =>
  readOverview(world, actor, pickShop(world, dice));

/** Reads lists without arguments in both protocols, and the related records of their items. */
export async function readOverview(world: World, actor: Actor, shop: KnownShop): Promise<void> {
  const visibility = newestRecords(world, actor);
  const { data, errors } = await world.t.graphql(
    overviewDocument,
    { businessId: shop.businessId, ids: [...visibility.keys()] },
    { as: actor.person },
  );
  if (!actor.signedIn) {
    assertContract(errors[0]?.extensions.code === 'UNAUTHENTICATED', 'anonymous GraphQL request', () =>
      JSON.stringify(errors),
    );
    return;
  }
  assertContract(
    errors.length === 0,
    'errors of a GraphQL request',
    () => `${actor.name}: ${JSON.stringify(errors)}`,
  );
  assertNoSecrets(world, actor, 'a GraphQL request', data);
  const nodes = data?.nodes as unknown as ({ id: string } | null)[];
  assertContract(
    [...visibility].every(([id, isVisible], index) => nodes[index]?.id === (isVisible ? id : undefined)),
    'records by their ids',
    () => `${actor.name}: ${JSON.stringify([[...visibility], nodes])}`,
  );
  for (const name of Object.keys(lists) as (keyof typeof lists)[])
    await checkProtocols(world, actor, shop, name, data?.[name] as Connection | undefined);
}

/** The newest records of all types, and whether the actor may see them. */
function newestRecords({ products, orders, entries }: World, actor: Actor): Map<string, boolean> {
  const newest = <Known extends { id: string }>(
    records: readonly Known[],
    readStatusOf: (recordSelection: Known) => number,
  ) =>
    records
      .slice(-8)
      .map((recordSelection) => [recordSelection.id, readStatusOf(recordSelection) === 200] as const);
  return new Map([
    ...newest(products, (product) => productReadStatus(actor, product)),
    ...newest(orders, (order) => orderReadStatus(actor, order)),
    ...newest(entries, (entry) => entryReadStatus(actor, entry)),
  ]);
}

async function checkProtocols(
  world: World,
  actor: Actor,
  shop: KnownShop,
  name: keyof typeof lists,
  connection: Connection | undefined,
): Promise<void> {
  const { operation, expected } = lists[name];
  const count = expected(world, actor, shop).length;
  assertContract(
    connection?.totalCount === count,
    `count of ${name}`,
    () => `${actor.name} in shop ${shop.number}: ${JSON.stringify(connection)}, expected ${count}`,
  );
  const { body } = await sendRequest(world, {
    operation,
    actor,
    protocol: 'rest',
    input: { path: businessPath(shop) },
  });
  const [restIds, graphqlIds] = [(body as { items: { id: string }[] }).items, connection.nodes].map((items) =>
    items.map(({ id }) => id).join(' '),
  );
  assertContract(
    restIds === graphqlIds,
    `default of ${name}`,
    () => `REST: ${restIds}; GraphQL: ${graphqlIds}`,
  );
}

const maxCpuMs = 300;
const maxAttempts = 3;
/** Number of oversized documents in all worlds, which share the cache of prepared documents. */
let documentCount = 0;

/** A small document that expands to a large one is rejected before it is compiled. */
export const sendOversizedDocument: PlayOperation = async (world, { actor, dice }) => {
  const length = dice.between(9, 10);
  let shortest = Number.POSITIVE_INFINITY;
  // The shortest of a few attempts counts, because other work may run meanwhile. Each document is new to the cache.
  for (let attempt = 0; attempt < maxAttempts && shortest > maxCpuMs; attempt += 1) {
    documentCount += 1;
    const before = process.cpuUsage();
    const { errors } = await world.t.graphql(
      oversizedDocument(length, documentCount),
      { id: world.shops[0].businessId },
      { as: actor.person },
    );
    const { user, system } = process.cpuUsage(before);
    shortest = Math.min(shortest, (user + system) / 1000);
    assertContract(errors.length > 0, 'oversized document', () => `${actor.name} got a result`);
  }
  assertContract(
    shortest <= maxCpuMs,
    'time of an oversized document',
    () => `${shortest.toFixed(0)} ms of CPU time`,
  );
};

/** Each fragment spreads the previous one twice, under two aliases. */
function oversizedDocument(length: number, number: number): string {
  const fragments = Array.from(
    { length },
    (_, index) =>
      `fragment F${index + 1} on Product { a: business { products { nodes { ...F${index} } } } b: business { products { nodes { ...F${index} } } } }`,
  );
  return `query Q${number}($id: ID!) { product(businessId: $id, id: "x") { ...F${length} } } fragment F0 on Product { name } ${fragments.join(' ')}`;
}

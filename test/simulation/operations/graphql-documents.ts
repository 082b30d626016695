/** Documents of a client's own: what only GraphQL can ask must say what the rows say, and no more. */
import { sendRequest, assertNoSecrets } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import {
  visibleEntryIds,
  visibleOrderIds,
  visibleProductIds,
  entryReadStatus,
  orderReadStatus,
  productReadStatus,
} from '../visibility.ts';
import type { Actor, KnownShop, World } from '../world.ts';
import { type PlayOperation, businessPath, pickShop } from './operation.ts';

const record = '... on Product { id description } ... on Entry { id blocks { value } } ... on Order { id }';
const overview = `query ($businessId: ID!, $ids: [ID!]!) {
  nodes(ids: $ids) { id ${record} }
  products(businessId: $businessId) { totalCount nodes { id description block(id: "about") { asRelationship { ${record} } } } }
  orders(businessId: $businessId) { totalCount nodes { id lines { product { id description } variant { sku } } } }
  entries(businessId: $businessId) { totalCount nodes { id block(id: "about") { asRelationship { ${record} } } } }
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

export const readGraphql: PlayOperation = (world, { actor, dice }) => readOverview(world, actor, pickShop(world, dice));

/** Lists as they are without any argument, in both voices, and what hangs off their records. */
export async function readOverview(world: World, actor: Actor, shop: KnownShop): Promise<void> {
  const known = knownTo(world, actor);
  const { data, errors } = await world.t.graphql(
    overview,
    { businessId: shop.businessId, ids: [...known.keys()] },
    { as: actor.person },
  );
  if (!actor.signedIn) {
    assertContract(errors[0]?.extensions.code === 'UNAUTHENTICATED', 'graph for nobody', () =>
      JSON.stringify(errors),
    );
    return;
  }
  assertContract(errors.length === 0, 'errors of a graph', () => `${actor.name}: ${JSON.stringify(errors)}`);
  assertNoSecrets(world, actor, 'a graph', data);
  const nodes = data?.nodes as unknown as ({ id: string } | null)[];
  assertContract(
    [...known].every(([id, isSeen], index) => nodes[index]?.id === (isSeen ? id : undefined)),
    'records by their ids',
    () => `${actor.name}: ${JSON.stringify([[...known], nodes])}`,
  );
  for (const name of Object.keys(lists) as (keyof typeof lists)[])
    await checkVoices(world, actor, shop, name, data?.[name] as Connection | undefined);
}

/** The newest records of all kinds, and whether somebody sees them. */
function knownTo({ products, orders, entries }: World, actor: Actor): Map<string, boolean> {
  const newest = <Known extends { id: string }>(records: readonly Known[], sees: (record: Known) => number) =>
    records.slice(-8).map((record) => [record.id, sees(record) === 200] as const);
  return new Map([
    ...newest(products, (product) => productReadStatus(actor, product)),
    ...newest(orders, (order) => orderReadStatus(actor, order)),
    ...newest(entries, (entry) => entryReadStatus(actor, entry)),
  ]);
}

async function checkVoices(
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
  const { body } = await sendRequest(world, { operation, actor, protocol: 'rest', input: { path: businessPath(shop) } });
  const [told, meant] = [(body as { items: { id: string }[] }).items, connection.nodes].map((items) =>
    items.map(({ id }) => id).join(' '),
  );
  assertContract(told === meant, `default of ${name}`, () => `REST: ${told}; GraphQL: ${meant}`);
}

const mostCpuMs = 300;
const tries = 3;
/** How many there were, in all worlds: they share what is ready to run. */
let heavy = 0;

/** A small document that means a large one is refused before anything is made of it. */
export const sendOversizedDocument: PlayOperation = async (world, { actor, dice }) => {
  const doubled = dice.between(9, 10);
  let least = Number.POSITIVE_INFINITY;
  // Others may have used the processor meanwhile: the least of a few counts, each of a document never seen before.
  for (let attempt = 0; attempt < tries && least > mostCpuMs; attempt += 1) {
    heavy += 1;
    const before = process.cpuUsage();
    const { errors } = await world.t.graphql(
      chained(doubled, heavy),
      { id: world.shops[0].businessId },
      { as: actor.person },
    );
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    assertContract(errors.length > 0, 'heavy document', () => `${actor.name} was answered`);
  }
  assertContract(least <= mostCpuMs, 'time of a heavy document', () => `${least.toFixed(0)} ms of processor time`);
};

/** Each fragment means the one before it twice, under names of their own. */
function chained(length: number, number: number): string {
  const fragments = Array.from(
    { length },
    (_, index) =>
      `fragment F${index + 1} on Product { a: business { products { nodes { ...F${index} } } } b: business { products { nodes { ...F${index} } } } }`,
  );
  return `query Q${number}($id: ID!) { product(businessId: $id, id: "x") { ...F${length} } } fragment F0 on Product { name } ${fragments.join(' ')}`;
}

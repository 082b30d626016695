/** Reads: both protocols agree, lists agree with single reads, and only permitted actors see records. */
import { callOperation, otherProtocol, type SimulatedProtocol, sendRequest } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { creditsOf } from '../credit-ledger.ts';
import { expectedAmountDue, hasPermission, type ModelRecord } from '../model.ts';
import {
  entryReadStatus,
  orderReadStatus,
  productReadStatus,
  visibleEntryIds,
  visibleOrderIds,
  visibleProductIds,
} from '../visibility.ts';
import type { Actor, KnownOrder, KnownShop, World } from '../world.ts';
import { businessPath, type PlayOperation, pickAddress, pickShop } from './operation.ts';

type Body = Record<string, unknown> & { id: string };

interface ListBody {
  items: Body[];
  cursor: string | null;
}

/** Reads a record in both protocols and compares the responses. */
async function readBoth(
  world: World,
  operation: string,
  actor: Actor,
  path: Record<string, string>,
  expectedStatus: number,
): Promise<Body | undefined> {
  const input = { path };
  const body = await callOperation<Body>(world, {
    operation,
    actor,
    protocol: 'rest',
    input,
    expectedStatus,
  });
  const graphqlResponse = await sendRequest(world, { operation, actor, protocol: 'graphql', input });
  assertContract(
    expectedStatus === 200
      ? JSON.stringify(sortFields(graphqlResponse.body)) === JSON.stringify(sortFields(body))
      : graphqlResponse.status === expectedStatus,
    `protocols of ${operation}`,
    () => JSON.stringify({ rest: body ?? expectedStatus, graphql: graphqlResponse }),
  );
  return body;
}

/** Sorts fields, because their order may differ between the protocols. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortFields(inner)]),
  );
}

async function listAllPages(
  world: World,
  operation: string,
  actor: Actor,
  protocol: SimulatedProtocol,
  input: { path: Record<string, string>; query?: Record<string, unknown> },
): Promise<Body[]> {
  const items: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, unknown> = {
      ...input.query,
      limit: 40,
      ...(cursor === '' ? {} : { cursor }),
    };
    const page: ListBody | undefined = await callOperation<ListBody>(world, {
      operation,
      actor,
      protocol,
      input: { ...input, query },
      expectedStatus: actor.signedIn ? 200 : 401,
    });
    items.push(...(page?.items ?? []));
    cursor = page?.cursor ?? null;
  }
  return items;
}

/** A list contains exactly the records that the actor may read. */
function checkList(kind: string, items: readonly Body[], expected: readonly string[]): void {
  const ids = items.map(({ id }) => id).sort();
  const isEqual = JSON.stringify(ids) === JSON.stringify([...expected].sort());
  assertContract(
    isEqual,
    `list of ${kind}`,
    () => `${JSON.stringify(ids)}, expected ${JSON.stringify([...expected].sort())}`,
  );
}

/** An item of a list equals the single read of the record. */
const checkListItem = (kind: string, items: readonly Body[], body: Body | undefined): void => {
  const item = items.find(({ id }) => id === body?.id);
  assertContract(
    !body || !item || JSON.stringify(sortFields(item)) === JSON.stringify(sortFields(body)),
    `${kind} in the list and by id`,
    () => JSON.stringify({ item, body }),
  );
};

/** Expected status of reading a record under the path of a business: 404 for records of another business. */
const statusUnder = (
  actor: Actor,
  expectedStatus: number,
  addressedShop: number,
  { shop }: ModelRecord,
): number => (actor.signedIn && addressedShop !== shop ? 404 : expectedStatus);

export const readProducts: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice);
  const items = await listAllPages(world, 'ListProducts', actor, protocol, { path: businessPath(shop) });
  checkList('products', items, visibleProductIds(world, actor, shop));
  const product = dice.pick(world.products);
  if (!product) return;
  const { named: addressedShop, actor: reader } = pickAddress(world, dice, product, actor);
  const path = { ...businessPath(addressedShop), id: product.id };
  const expectedStatus = statusUnder(
    reader,
    productReadStatus(reader, product),
    addressedShop.number,
    product,
  );
  const body = await readBoth(world, 'GetProduct', reader, path, expectedStatus);
  if (reader === actor) checkListItem('product', items, body);
};

export const readOrders: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice);
  const items = await listAllPages(world, 'ListOrders', actor, protocol, { path: businessPath(shop) });
  checkList('orders', items, visibleOrderIds(world, actor, shop));
  // Refunded orders have the longest history.
  const refundedOrders = world.orders.filter(
    ({ id }) => (world.observed.records.get(id)?.order?.refunded ?? 0) > 0,
  );
  const order = dice.pick(refundedOrders.length > 0 && dice.chance(0.4) ? refundedOrders : world.orders);
  if (!order) return;
  const { named: addressedShop, actor: reader } = pickAddress(
    world,
    dice,
    order,
    dice.chance(0.5) ? actor : ownerOf(world, order),
  );
  const body = await readOrder(world, order, { named: addressedShop, actor: reader });
  if (reader === actor) checkListItem('order', items, body);
  await readRefunds(
    world,
    reader,
    otherProtocol(protocol),
    { ...businessPath(addressedShop), id: order.id },
    body,
  );
};

/** Reads an order under the path of a business and checks its amount due. */
export async function readOrder(
  world: World,
  order: KnownOrder,
  { named: addressedShop, actor }: { named: KnownShop; actor: Actor },
): Promise<Body | undefined> {
  const expectedStatus = statusUnder(actor, orderReadStatus(actor, order), addressedShop.number, order);
  const body = await readBoth(
    world,
    'GetOrder',
    actor,
    { ...businessPath(addressedShop), id: order.id },
    expectedStatus,
  );
  const observed = world.observed.records.get(order.id)?.order;
  const expectedDue = observed && expectedAmountDue(observed, creditsOf(world, order.id));
  if (body && expectedDue !== undefined)
    assertContract(
      body.amountDue === expectedDue,
      'amount due',
      () => `${body.amountDue}, expected ${expectedDue} of ${JSON.stringify(observed)}`,
    );
  return body;
}

const ownerOf = ({ actors }: World, { customer, shop }: KnownOrder): Actor =>
  Object.values(actors).find(({ person }) => person !== undefined && person.userId === customer) ??
  actors[shop === 0 ? 'manager' : 'rival'];

/** The refunds of an order are visible to the viewers of the order, and the successful ones add up to its refunded amount. */
async function readRefunds(
  world: World,
  actor: Actor,
  protocol: SimulatedProtocol,
  path: Record<string, string>,
  order: Body | undefined,
): Promise<void> {
  const { status, body } = await sendRequest(world, {
    operation: 'ListRefunds',
    actor,
    protocol,
    input: { path, query: { limit: 100 } },
  });
  const isExpected = order ? status === 200 : status === 401 || status === 404;
  assertContract(isExpected, 'status of ListRefunds', () => `${actor.name} got ${status}`);
  if (order && Array.isArray((body as ListBody).items)) {
    const sum = (body as { items: { status: string; amount: number }[] }).items
      .filter((refund) => refund.status === 'SUCCEEDED')
      .reduce((total, { amount }) => total + amount, 0);
    // Amounts that a bank took back are not refunds of the business.
    const [bank] = await world.t.db.sql<{ took: number }>(
      'select coalesce(sum(refunded_elsewhere), 0)::bigint as took from payment_attempts where subject_id = $1',
      [order.id],
    );
    assertContract(sum + (bank?.took ?? 0) >= Number(order.refunded), 'refunds of an order', () =>
      JSON.stringify({ order, body }),
    );
  }
}

export const readEntries: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice);
  const items = await listAllPages(world, 'ListEntries', actor, protocol, { path: businessPath(shop) });
  checkList('entries', items, visibleEntryIds(world, actor, shop));
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named: addressedShop, actor: reader } = pickAddress(world, dice, entry, actor);
  const path = { ...businessPath(addressedShop), id: entry.id };
  const expectedStatus = statusUnder(reader, entryReadStatus(reader, entry), addressedShop.number, entry);
  const body = await readBoth(world, 'GetEntry', reader, path, expectedStatus);
  if (reader === actor) checkListItem('entry', items, body);
};

/** Reads lists that only admins may read. */
export const readStaffLists: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice, actor);
  const operation = dice.oneOf([
    'ListPromoCodes',
    'ListRoles',
    'ListMembers',
    'ListWebhookEndpoints',
    'ListChanges',
  ]);
  await callOperation(world, {
    operation,
    actor,
    protocol,
    input: { path: businessPath(shop), query: { limit: 30 } },
    expectedStatus: !actor.signedIn ? 401 : hasPermission(actor, 'ADMIN', shop.number) ? 200 : 403,
  });
};

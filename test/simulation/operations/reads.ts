/** What is read: the same in both voices, in the list as alone, and only by those who may. */
import { sendRequest, callOperation, otherProtocol, type SimulatedProtocol } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { type ModelRecord, expectedAmountDue, hasPermission } from '../model.ts';
import {
  visibleEntryIds,
  visibleOrderIds,
  visibleProductIds,
  entryReadStatus,
  orderReadStatus,
  productReadStatus,
} from '../visibility.ts';
import type { Actor, KnownOrder, KnownShop, World } from '../world.ts';
import { type PlayOperation, businessPath, pickShop, pickAddress } from './operation.ts';

type Body = Record<string, unknown> & { id: string };

interface Listed {
  items: Body[];
  cursor: string | null;
}

/** One record as somebody sees it, in both voices. */
async function readBoth(
  world: World,
  operation: string,
  actor: Actor,
  path: Record<string, string>,
  expect: number,
): Promise<Body | undefined> {
  const asked = { path };
  const body = await callOperation<Body>(world, { operation, actor, protocol: 'rest', input: asked, expectedStatus: expect });
  const other = await sendRequest(world, { operation, actor, protocol: 'graphql', input: asked });
  assertContract(
    expect === 200
      ? JSON.stringify(sorted(other.body)) === JSON.stringify(sorted(body))
      : other.status === expect,
    `voices of ${operation}`,
    () => JSON.stringify({ rest: body ?? expect, graphql: other }),
  );
  return body;
}

/** Fields in one order: the voices may differ in it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

async function everyPage(
  world: World,
  operation: string,
  actor: Actor,
  voice: SimulatedProtocol,
  asked: { path: Record<string, string>; query?: Record<string, unknown> },
): Promise<Body[]> {
  const items: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, unknown> = {
      ...asked.query,
      limit: 40,
      ...(cursor === '' ? {} : { cursor }),
    };
    const page: Listed | undefined = await callOperation<Listed>(world, {
      operation,
      actor,
      protocol: voice,
      input: { ...asked, query },
      expectedStatus: actor.signedIn ? 200 : 401,
    });
    items.push(...(page?.items ?? []));
    cursor = page?.cursor ?? null;
  }
  return items;
}

/** A list is the set of what can be got: no more, no less. */
function checkList(kind: string, listed: readonly Body[], expected: readonly string[]): void {
  const ids = listed.map(({ id }) => id).sort();
  const same = JSON.stringify(ids) === JSON.stringify([...expected].sort());
  assertContract(
    same,
    `list of ${kind}`,
    () => `${JSON.stringify(ids)}, expected ${JSON.stringify([...expected].sort())}`,
  );
}

/** What a list shows to somebody, they see alone. */
const sameAs = (kind: string, listed: readonly Body[], body: Body | undefined): void => {
  const item = listed.find(({ id }) => id === body?.id);
  assertContract(
    !body || !item || JSON.stringify(sorted(item)) === JSON.stringify(sorted(body)),
    `${kind} in the list and alone`,
    () => JSON.stringify({ item, body }),
  );
};

/** The statuses of reading a record under a shop's address: where it is not, it is not. */
const readAt = (actor: Actor, expect: number, named: number, { shop }: ModelRecord): number =>
  actor.signedIn && named !== shop ? 404 : expect;

export const readProducts: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const shop = pickShop(world, dice);
  const listed = await everyPage(world, 'ListProducts', actor, voice, { path: businessPath(shop) });
  checkList('products', listed, visibleProductIds(world, actor, shop));
  const product = dice.pick(world.products);
  if (!product) return;
  const { named, actor: visitor } = pickAddress(world, dice, product, actor);
  const path = { ...businessPath(named), id: product.id };
  const expect = readAt(visitor, productReadStatus(visitor, product), named.number, product);
  const body = await readBoth(world, 'GetProduct', visitor, path, expect);
  if (visitor === actor) sameAs('product', listed, body);
};

export const readOrders: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const shop = pickShop(world, dice);
  const listed = await everyPage(world, 'ListOrders', actor, voice, { path: businessPath(shop) });
  checkList('orders', listed, visibleOrderIds(world, actor, shop));
  // Orders that money went back for have the longest history.
  const returned = world.orders.filter(({ id }) => (world.observed.records.get(id)?.order?.refunded ?? 0) > 0);
  const order = dice.pick(returned.length > 0 && dice.chance(0.4) ? returned : world.orders);
  if (!order) return;
  const { named, actor: visitor } = pickAddress(
    world,
    dice,
    order,
    dice.chance(0.5) ? actor : ownerOf(world, order),
  );
  const body = await readOrder(world, order, { named, actor: visitor });
  if (visitor === actor) sameAs('order', listed, body);
  await readRefunds(world, visitor, otherProtocol(voice), { ...businessPath(named), id: order.id }, body);
};

/** One order as somebody sees it under the address of a shop, with what is due. */
export async function readOrder(
  world: World,
  order: KnownOrder,
  { named, actor }: { named: KnownShop; actor: Actor },
): Promise<Body | undefined> {
  const expect = readAt(actor, orderReadStatus(actor, order), named.number, order);
  const body = await readBoth(world, 'GetOrder', actor, { ...businessPath(named), id: order.id }, expect);
  const seen = world.observed.records.get(order.id)?.order;
  if (body && seen)
    assertContract(
      body.amountDue === expectedAmountDue(seen),
      'amount due',
      () => `${body.amountDue}, expected ${expectedAmountDue(seen)} of ${JSON.stringify(seen)}`,
    );
  return body;
}

const ownerOf = ({ actors }: World, { customer, shop }: KnownOrder): Actor =>
  Object.values(actors).find(({ person }) => person !== undefined && person.userId === customer) ??
  actors[shop === 0 ? 'manager' : 'rival'];

/** Refunds that have succeeded make up what went back; they are for who sees the order. */
async function readRefunds(
  world: World,
  actor: Actor,
  voice: SimulatedProtocol,
  path: Record<string, string>,
  order: Body | undefined,
): Promise<void> {
  const { status, body } = await sendRequest(world, {
    operation: 'ListRefunds',
    actor,
    protocol: voice,
    input: { path, query: { limit: 100 } },
  });
  const isRight = order ? status === 200 : status === 401 || status === 404;
  assertContract(isRight, 'status of ListRefunds', () => `${actor.name} got ${status}`);
  if (order && Array.isArray((body as Listed).items)) {
    const sum = (body as { items: { status: string; amount: number }[] }).items
      .filter((refund) => refund.status === 'SUCCEEDED')
      .reduce((total, { amount }) => total + amount, 0);
    // What a bank took back is none of the shop's refunds.
    const [bank] = await world.t.db.sql<{ took: number }>(
      'select coalesce(sum(refunded_elsewhere), 0)::bigint as took from payment_attempts where subject_id = $1',
      [order.id],
    );
    assertContract(sum + (bank?.took ?? 0) >= Number(order.refunded), 'refunds of an order', () =>
      JSON.stringify({ order, body }),
    );
  }
}

export const readEntries: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const shop = pickShop(world, dice);
  const listed = await everyPage(world, 'ListEntries', actor, voice, { path: businessPath(shop) });
  checkList('entries', listed, visibleEntryIds(world, actor, shop));
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor: visitor } = pickAddress(world, dice, entry, actor);
  const path = { ...businessPath(named), id: entry.id };
  const expect = readAt(visitor, entryReadStatus(visitor, entry), named.number, entry);
  const body = await readBoth(world, 'GetEntry', visitor, path, expect);
  if (visitor === actor) sameAs('entry', listed, body);
};

/** Lists that are for staff alone. */
export const readStaffLists: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
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
    protocol: voice,
    input: { path: businessPath(shop), query: { limit: 30 } },
    expectedStatus: !actor.signedIn ? 401 : hasPermission(actor, 'ADMIN', shop.number) ? 200 : 403,
  });
};

/** What is read: the same in both voices, in the list as alone, and only by those who may. */
import { ask, call, otherVoice, type Voice } from '../call.ts';
import { demand } from '../fault.ts';
import { type Addressed, dueOf, may } from '../model.ts';
import {
  expectedEntries,
  expectedOrders,
  expectedProducts,
  seesEntry,
  seesOrder,
  seesProduct,
} from '../visible.ts';
import type { Actor, KnownOrder, KnownShop, World } from '../world.ts';
import { type Play, pathOf, shopFor, visit } from './play.ts';

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
  const body = await call<Body>(world, { operation, actor, voice: 'rest', asked, expect });
  const other = await ask(world, { operation, actor, voice: 'graphql', asked });
  demand(
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
  voice: Voice,
  asked: { path: Record<string, string>; query?: Record<string, unknown> },
): Promise<Body[]> {
  const items: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, unknown> = {
      ...asked.query,
      limit: 40,
      ...(cursor === '' ? {} : { cursor }),
    };
    const page: Listed | undefined = await call<Listed>(world, {
      operation,
      actor,
      voice,
      asked: { ...asked, query },
      expect: actor.signedIn ? 200 : 401,
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
  demand(
    same,
    `list of ${kind}`,
    () => `${JSON.stringify(ids)}, expected ${JSON.stringify([...expected].sort())}`,
  );
}

/** What a list shows to somebody, they see alone. */
const sameAs = (kind: string, listed: readonly Body[], body: Body | undefined): void => {
  const item = listed.find(({ id }) => id === body?.id);
  demand(
    !body || !item || JSON.stringify(sorted(item)) === JSON.stringify(sorted(body)),
    `${kind} in the list and alone`,
    () => JSON.stringify({ item, body }),
  );
};

/** The statuses of reading a record under a shop's address: where it is not, it is not. */
const readAt = (actor: Actor, expect: number, named: number, { shop }: Addressed): number =>
  actor.signedIn && named !== shop ? 404 : expect;

export const readProducts: Play = async (world, { actor, voice, dice }) => {
  const shop = shopFor(world, dice);
  const listed = await everyPage(world, 'ListProducts', actor, voice, { path: pathOf(shop) });
  checkList('products', listed, expectedProducts(world, actor, shop));
  const product = dice.pick(world.products);
  if (!product) return;
  const { named, actor: visitor } = visit(world, dice, product, actor);
  const path = { ...pathOf(named), id: product.id };
  const expect = readAt(visitor, seesProduct(visitor, product), named.number, product);
  const body = await readBoth(world, 'GetProduct', visitor, path, expect);
  if (visitor === actor) sameAs('product', listed, body);
};

export const readOrders: Play = async (world, { actor, voice, dice }) => {
  const shop = shopFor(world, dice);
  const listed = await everyPage(world, 'ListOrders', actor, voice, { path: pathOf(shop) });
  checkList('orders', listed, expectedOrders(world, actor, shop));
  // Orders that money went back for have the longest history.
  const returned = world.orders.filter(({ id }) => (world.seen.records.get(id)?.order?.refunded ?? 0) > 0);
  const order = dice.pick(returned.length > 0 && dice.chance(0.4) ? returned : world.orders);
  if (!order) return;
  const { named, actor: visitor } = visit(
    world,
    dice,
    order,
    dice.chance(0.5) ? actor : ownerOf(world, order),
  );
  const body = await readOrder(world, order, { named, actor: visitor });
  if (visitor === actor) sameAs('order', listed, body);
  await readRefunds(world, visitor, otherVoice(voice), { ...pathOf(named), id: order.id }, body);
};

/** One order as somebody sees it under the address of a shop, with what is due. */
export async function readOrder(
  world: World,
  order: KnownOrder,
  { named, actor }: { named: KnownShop; actor: Actor },
): Promise<Body | undefined> {
  const expect = readAt(actor, seesOrder(actor, order), named.number, order);
  const body = await readBoth(world, 'GetOrder', actor, { ...pathOf(named), id: order.id }, expect);
  const seen = world.seen.records.get(order.id)?.order;
  if (body && seen)
    demand(
      body.amountDue === dueOf(seen),
      'amount due',
      () => `${body.amountDue}, expected ${dueOf(seen)} of ${JSON.stringify(seen)}`,
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
  voice: Voice,
  path: Record<string, string>,
  order: Body | undefined,
): Promise<void> {
  const { status, body } = await ask(world, {
    operation: 'ListRefunds',
    actor,
    voice,
    asked: { path, query: { limit: 100 } },
  });
  const isRight = order ? status === 200 : status === 401 || status === 404;
  demand(isRight, 'status of ListRefunds', () => `${actor.name} got ${status}`);
  if (order && Array.isArray((body as Listed).items)) {
    const sum = (body as { items: { status: string; amount: number }[] }).items
      .filter((refund) => refund.status === 'SUCCEEDED')
      .reduce((total, { amount }) => total + amount, 0);
    // What a bank took back is none of the shop's refunds.
    const [bank] = await world.t.db.sql<{ took: number }>(
      'select coalesce(sum(refunded_elsewhere), 0)::bigint as took from payment_attempts where subject_id = $1',
      [order.id],
    );
    demand(sum + (bank?.took ?? 0) >= Number(order.refunded), 'refunds of an order', () =>
      JSON.stringify({ order, body }),
    );
  }
}

export const readEntries: Play = async (world, { actor, voice, dice }) => {
  const shop = shopFor(world, dice);
  const listed = await everyPage(world, 'ListEntries', actor, voice, { path: pathOf(shop) });
  checkList('entries', listed, expectedEntries(world, actor, shop));
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor: visitor } = visit(world, dice, entry, actor);
  const path = { ...pathOf(named), id: entry.id };
  const expect = readAt(visitor, seesEntry(visitor, entry), named.number, entry);
  const body = await readBoth(world, 'GetEntry', visitor, path, expect);
  if (visitor === actor) sameAs('entry', listed, body);
};

/** Lists that are for staff alone. */
export const readForStaff: Play = async (world, { actor, voice, dice }) => {
  const shop = shopFor(world, dice, actor);
  const operation = dice.one([
    'ListPromoCodes',
    'ListRoles',
    'ListMembers',
    'ListWebhookEndpoints',
    'ListChanges',
  ]);
  await call(world, {
    operation,
    actor,
    voice,
    asked: { path: pathOf(shop), query: { limit: 30 } },
    expect: !actor.signedIn ? 401 : may(actor, 'ADMIN', shop.number) ? 200 : 403,
  });
};

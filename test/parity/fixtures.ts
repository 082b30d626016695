/** The data both voices are asked about, and the people who ask. */
import { account } from '../support/accounts.ts';
import type { Person, Shop, TestApp } from '../support/app.ts';

export interface World {
  shop: Shop;
  /** Ids of records that samples speak of, by a name of their own. */
  ids: Record<string, string>;
  viewers: Record<Viewer, Person | undefined>;
}

export const viewerNames = ['nobody', 'guest', 'customer', 'admin', 'foreign admin', 'API key'] as const;
export type Viewer = (typeof viewerNames)[number];

/** A request for a row: path parameters (more than it has do no harm), query and body. */
export interface Sample {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** What the admin gets, when it is not 200. */
  adminGets?: number;
}

/**
 * What is asked before an example: an operation, by its own example but for what is said here, or the outbox for a mail. What is taken
 * stands for `{name}` in all that follows; `{fresh}` is another word each time.
 */
export type Step = (
  | { operationId: string; path?: Record<string, string>; body?: Record<string, unknown>; bearer?: string }
  | { outbox: string }
) & {
  /** By name: the JSON pointer into the answer, or where the link of the mail leads whose token it is. */
  take?: Record<string, string>;
};

/** A sample asked in the demo shop: an example of the REST reference. */
export interface Example extends Sample {
  /** Who asks; the demo admin when absent. */
  as?: 'guest';
  /** For what cannot be printed, as it is signed with a key of the gateway itself. */
  first?: readonly Step[];
  /** Why it is refused as it stands, and how: the demo has not what it needs. */
  refused?: { status: number; because: string };
}

/** What a domain brings: records for the world, and a sample for each of its operations. */
export interface Samples {
  prepare?(t: TestApp, world: World): Promise<void>;
  samples: Record<string, (world: World) => Sample>;
  /** The same in the demo shop: what the ids are there, and samples that would hurt or fail there. */
  demo?: { ids?: Record<string, string>; samples?: Record<string, (world: World) => Example> };
}

export async function createWorld(t: TestApp, domains: readonly Samples[]): Promise<World> {
  // The admin came in through the front door: some operations ask for a password.
  const admin = await account(t);
  const opened = await t.shop();
  await t.hire(opened, admin, 'ADMIN');
  const shop = { ...opened, admin };
  const foreign = await t.shop();
  const customer = await t.person({ email: 'customer@people.example', name: 'Customer' });
  const world: World = {
    shop,
    ids: { businessId: shop.businessId },
    viewers: {
      nobody: undefined,
      guest: await t.guest(),
      customer,
      admin: shop.admin,
      'foreign admin': foreign.admin,
      'API key': await t.withApiKey(shop.admin),
    },
  };
  for (const { prepare } of domains) await prepare?.(t, world);
  return world;
}

/** Does something as the admin of the shop, and keeps the id of what came of it. */
export async function given(
  t: TestApp,
  world: World,
  name: string,
  path: string,
  body: Record<string, unknown>,
): Promise<void> {
  const answer = await t.rest<{ id?: string }>('POST', path, { as: world.shop.admin, body });
  if (answer.status !== 200) throw new Error(`No ${name} for the world: ${JSON.stringify(answer.body)}`);
  world.ids[name] = answer.body.id ?? '';
}

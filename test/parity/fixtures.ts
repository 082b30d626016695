/** Fixtures of the parity test: records, viewers and sample requests. */
import { createAccount } from '../support/accounts.ts';
import type { Person, Shop, TestApp } from '../support/app.ts';

export interface World {
  shop: Shop;
  /** Ids of records that samples use, by a name local to the tests. */
  ids: Record<string, string>;
  viewers: Record<Viewer, Person | undefined>;
}

export const viewerNames = ['nobody', 'guest', 'customer', 'admin', 'foreign admin', 'API key'] as const;
export type Viewer = (typeof viewerNames)[number];

/** Sample request of a route: path parameters (additional ones are ignored), query and body. */
export interface Sample {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** Status for the admin, if it is not 200. */
  adminStatus?: number;
}

/**
 * A request before an example: an operation, with its own example and the overrides given here, or the captured mail to an address. Taken
 * values replace `{name}` in all later requests; `{fresh}` is replaced by a new word each time.
 */
export type Step = (
  | { operationId: string; path?: Record<string, string>; body?: Record<string, unknown>; bearer?: string }
  | { outbox: string }
) & {
  /** By name: JSON pointer into the response, or path of the link in the mail whose token is taken. */
  take?: Record<string, string>;
};

/** A sample in the demo shop: an example of the REST reference. */
export interface Example extends Sample {
  /** Viewer; default: the demo admin. */
  as?: 'guest';
  /** Requests that obtain values which cannot be printed, such as tokens signed by the gateway. */
  first?: readonly Step[];
  /** Expected error, if the demo shop lacks something that the example needs. */
  refused?: { status: number; because: string };
}

/** Samples of a domain: records to create, and a sample for each operation. */
export interface Samples {
  prepare?(t: TestApp, world: World): Promise<void>;
  samples: Record<string, (world: World) => Sample>;
  /** Ids in the demo shop, and samples that replace those that would damage the demo shop or fail in it. */
  demo?: { ids?: Record<string, string>; samples?: Record<string, (world: World) => Example> };
}

export async function createWorld(t: TestApp, domains: readonly Samples[]): Promise<World> {
  // The admin has registered with a password, which some operations require.
  const admin = await createAccount(t);
  const newShop = await t.shop();
  await t.addMember(newShop, admin, 'ADMIN');
  const shop = { ...newShop, admin };
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

/** Creates a record as the admin of the shop and stores its id in the world under `name`. */
export async function createFixture(
  t: TestApp,
  world: World,
  name: string,
  path: string,
  body: Record<string, unknown>,
): Promise<void> {
  const response = await t.rest<{ id?: string }>('POST', path, { as: world.shop.admin, body });
  if (response.status !== 200)
    throw new Error(`Creating the fixture ${name} failed: ${JSON.stringify(response.body)}`);
  world.ids[name] = response.body.id ?? '';
}

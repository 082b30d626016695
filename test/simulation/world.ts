/** World of a walk: two businesses, actors, and the expected state of their records. */
import type { PaymentEvent } from '../../src/ports/payments.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { createAppOn } from '../support/scratch-app.ts';
import type { Person, Shop, TestApp } from '../support/test-app.ts';
import { type Clock, startClock } from './clock.ts';
import { createShop } from './create-shop.ts';
import { type CreditLedger, createCreditLedger } from './credit-ledger.ts';
import { type FailingPorts, installFailingPorts } from './failing-ports.ts';
import type { ModelCaller, ModelRecord, PriceTerms, RoleName, ShopNumber } from './model.ts';
import { createObservedState, type ObservedState } from './record-invariants.ts';
import { openSharedDatabase, type SharedDatabase } from './shared-database.ts';

export const actorNames = [
  'admin',
  'manager',
  'editor',
  'key',
  'helper',
  'rival',
  'rival editor',
  'customer',
  'other customer',
  'guest',
  'stranger',
  'anonymous',
] as const;
export type ActorName = (typeof actorNames)[number];

export interface Actor extends ModelCaller {
  name: ActorName;
  person: Person | undefined;
  roles: Map<ShopNumber, RoleName>;
  provider: 'EMAIL' | 'GUEST' | 'API';
}

export interface KnownVariant {
  id: string;
  price: number;
  tracked: boolean;
  /** Expected stock plus the units reserved by orders. */
  countedStock: number;
}

export interface KnownProduct extends ModelRecord {
  id: string;
  status: string;
  category: string | undefined;
  variants: KnownVariant[];
}

export interface KnownOrder extends ModelRecord {
  id: string;
  /** User id of the customer. */
  customer: string | undefined;
}

export interface KnownEntry extends ModelRecord {
  id: string;
  status: string;
  isNewsletter: boolean;
}

export interface KnownPromo extends ModelRecord {
  id: string;
  code: string;
  maxUses?: number | undefined;
  terms: NonNullable<PriceTerms['promo']>;
}

export interface KnownShop extends Shop {
  number: ShopNumber;
  journalId: string;
  newsletterId: string;
}

/** Access rule of a text that must not reach other actors. */
export interface Secret {
  mayRead(actor: Actor): boolean;
}

export interface World {
  t: TestApp;
  clock: Clock;
  ports: FailingPorts;
  shops: [KnownShop, KnownShop];
  actors: Record<ActorName, Actor>;
  member: Account;
  products: KnownProduct[];
  orders: KnownOrder[];
  entries: KnownEntry[];
  promos: KnownPromo[];
  /** Ids of payment pages at the provider. */
  paymentPages: string[];
  events: PaymentEvent[];
  secrets: Map<string, Secret>;
  observed: ObservedState;
  credits: CreditLedger;
  counter: number;
  /** Number of responses per operation and status: a walk with errors only proves nothing. */
  tally: Map<string, number>;
  close(): Promise<void>;
}

/** Creates a world on the shared database, which `close` clears; without one, on a new database, which `close` removes. */
export async function createWorld(
  tally: World['tally'] = new Map(),
  shared?: SharedDatabase,
): Promise<World> {
  const database = shared ?? (await openSharedDatabase());
  const { t, close } = await createAppOn(database.db);
  const clock = startClock();
  const shops: World['shops'] = [await createShop(t, 0), await createShop(t, 1)];
  const member = await createAccount(t);
  const ports = installFailingPorts(t.app.services);
  return {
    t,
    clock,
    ports,
    shops,
    actors: await createActors(t, shops, member),
    member,
    products: [],
    orders: [],
    entries: [],
    promos: [],
    paymentPages: [],
    events: [],
    secrets: new Map(),
    observed: createObservedState(),
    credits: createCreditLedger(),
    counter: 0,
    tally,
    async close() {
      clock.stop();
      await close();
      await (shared ? shared.clear() : database.remove());
    },
  };
}

async function createActors(t: TestApp, shops: World['shops'], member: Account): Promise<World['actors']> {
  const [ownShop, otherShop] = shops;
  const createMember = async (shop: KnownShop, role: RoleName) => t.addMember(shop, await t.person(), role);
  const manager = await createMember(ownShop, 'MANAGER');
  const actor = (
    name: ActorName,
    person: Person | undefined,
    role?: [ShopNumber, RoleName],
    provider: Actor['provider'] = 'EMAIL',
  ): Actor => ({
    name,
    person,
    signedIn: person !== undefined,
    roles: new Map(role ? [role] : []),
    provider,
  });
  return {
    admin: actor('admin', ownShop.admin, [0, 'ADMIN']),
    manager: actor('manager', manager, [0, 'MANAGER']),
    editor: actor('editor', await createMember(ownShop, 'EDITOR'), [0, 'EDITOR']),
    key: actor('key', await t.withApiKey(manager), [0, 'MANAGER'], 'API'),
    helper: actor('helper', await t.person()),
    rival: actor('rival', otherShop.admin, [1, 'ADMIN']),
    'rival editor': actor('rival editor', await createMember(otherShop, 'EDITOR'), [1, 'EDITOR']),
    customer: actor('customer', { userId: member.userId, token: member.token }),
    'other customer': actor('other customer', await t.person()),
    guest: actor('guest', await t.guest(), undefined, 'GUEST'),
    stranger: actor('stranger', await t.person()),
    anonymous: actor('anonymous', undefined),
  };
}

/** Issues new access tokens for all actors, because tokens expire after an hour. */
export async function renewTokens({ t, actors }: World): Promise<void> {
  for (const { person, provider } of Object.values(actors)) {
    if (!person || provider === 'API') continue;
    person.token = (await t.app.services.tokens.issueAccess({ sub: person.userId, provider })).token;
  }
}

export const createSecretText = (world: World, mayRead: Secret['mayRead']): string => {
  world.counter += 1;
  const secretText = `secret-${world.counter}-mark`;
  world.secrets.set(secretText, { mayRead });
  return secretText;
};

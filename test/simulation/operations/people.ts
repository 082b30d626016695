/** Roles, sessions and promo codes: what admins and members do. */
import { signIn } from '../../support/accounts.ts';
import { ask, call } from '../call.ts';
import { demand } from '../fault.ts';
import { type RoleName, type Terms, toChange, toCreate } from '../model.ts';
import type { KnownPromo, KnownShop, World } from '../world.ts';
import { type Play, pathOf, shopFor, type Turn, visit } from './play.ts';

export const setRole: Play = async (world, { actor, voice, dice }) => {
  const [shop] = world.shops;
  const { helper } = world.actors;
  const role = dice.one<RoleName>(['MANAGER', 'EDITOR']);
  const body = await call(world, {
    operation: 'SetRole',
    actor,
    voice,
    asked: { body: { userId: helper.person?.userId, roleId: shop.roles[role], businessId: shop.businessId } },
    expect: !actor.signedIn
      ? 401
      : actor.roles.get(0) === 'ADMIN'
        ? 200
        : actor.roles.size > 0
          ? [403, 404]
          : 403,
  });
  if (body) helper.roles.set(0, role);
};

export const leave: Play = async (world, { voice }) => {
  const { helper } = world.actors;
  await call(world, {
    operation: 'LeaveBusiness',
    actor: helper,
    voice,
    asked: { path: pathOf(world.shops[0]) },
    expect: helper.roles.has(0) ? 200 : 404,
  });
  helper.roles.delete(0);
};

/** A session that was ended is nobody, for every question that looks at who asks. */
export const endSession: Play = async (world, { voice, dice }) => {
  const { customer } = world.actors;
  const { email } = world.member;
  const signedIn = await signIn(world.t, email);
  const asIt = { ...customer, person: { userId: signedIn.userId, token: signedIn.token } };
  const list = await call<{ items: { id: string; isCurrent: boolean }[] }>(world, {
    operation: 'ListSessions',
    actor: asIt,
    voice,
    asked: { query: { limit: 100 } },
    expect: 200,
  });
  const current = list?.items.find(({ isCurrent }) => isCurrent);
  demand(current !== undefined, 'current session', () => JSON.stringify(list));
  await call(world, {
    operation: 'RevokeSession',
    actor: asIt,
    voice,
    asked: { path: { id: current.id } },
    expect: 200,
  });
  const shop = shopFor(world, dice);
  for (const operation of ['ListProducts', 'ListOrders', 'GetMe', 'ListSessions']) {
    const { status } = await ask(world, { operation, actor: asIt, voice, asked: { path: pathOf(shop) } });
    demand(status === 401, 'ended session', () => `${operation} answered ${status}`);
  }
};

const promoTerms: [NonNullable<Terms['promo']>, ...NonNullable<Terms['promo']>[]] = [
  { type: 'PERCENTAGE', bps: 1000 },
  { type: 'PERCENTAGE', bps: 10_000 },
  { type: 'FIXED', amount: 333 },
  { type: 'FREE_SHIPPING' },
];

export const createPromo: Play = async (world, turn) => {
  const { actor, dice } = turn;
  const shop = shopFor(world, dice, actor);
  const terms = dice.one(promoTerms);
  const maxUses = dice.chance(0.6) ? dice.between(1, 3) : undefined;
  await announce(world, turn, { shop, terms, maxUses });
};

/** A new promo code; undefined when the model expects that it is refused. */
export async function announce(
  world: World,
  { actor, voice }: Turn,
  { shop, terms, maxUses }: Pick<KnownPromo, 'terms' | 'maxUses'> & { shop: KnownShop },
): Promise<string | undefined> {
  world.made += 1;
  const code = `CODE${world.made}`;
  const body = await call<{ id: string }>(world, {
    operation: 'CreatePromoCode',
    actor,
    voice,
    asked: {
      path: pathOf(shop),
      body: {
        code,
        ...terms,
        ...(terms.type === 'FIXED' ? { currency: 'USD' } : {}),
        ...(maxUses === undefined ? {} : { maxUses }),
      },
    },
    expect: toCreate(actor, 'ADMIN', shop.number),
  });
  if (!body) return undefined;
  world.promos.push({ id: body.id, code, shop: shop.number, gone: false, terms, maxUses });
  return code;
}

export const deletePromo: Play = async (world, { actor: asker, voice, dice }) => {
  const promo = dice.pick(world.promos);
  if (!promo) return;
  const { named, actor } = visit(world, dice, promo, asker);
  const body = await call(world, {
    operation: 'DeletePromoCode',
    actor,
    voice,
    asked: { path: { ...pathOf(named), id: promo.id } },
    expect: toChange(actor, 'ADMIN', named.number, promo),
  });
  if (body) promo.gone = true;
};

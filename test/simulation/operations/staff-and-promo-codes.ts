/** Operations on roles, sessions and promo codes. */
import { signIn } from '../../support/accounts.ts';
import { callOperation, sendRequest } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { changeStatus, createStatus, type PriceTerms, type RoleName } from '../model.ts';
import type { KnownPromo, KnownShop, World } from '../world.ts';
import {
  businessPath,
  type OperationContext,
  type PlayOperation,
  pickAddress,
  pickShop,
} from './operation.ts';

export const setRole: PlayOperation = async (world, { actor, protocol, dice }) => {
  const [shop] = world.shops;
  const { helper } = world.actors;
  const role = dice.oneOf<RoleName>(['MANAGER', 'EDITOR']);
  const body = await callOperation(world, {
    operation: 'SetRole',
    actor,
    protocol,
    input: { body: { userId: helper.person?.userId, roleId: shop.roles[role], businessId: shop.businessId } },
    expectedStatus: !actor.signedIn
      ? 401
      : actor.roles.get(0) === 'ADMIN'
        ? 200
        : actor.roles.size > 0
          ? [403, 404]
          : 403,
  });
  if (body) helper.roles.set(0, role);
};

export const leaveBusiness: PlayOperation = async (world, { protocol }) => {
  const { helper } = world.actors;
  await callOperation(world, {
    operation: 'LeaveBusiness',
    actor: helper,
    protocol,
    input: { path: businessPath(world.shops[0]) },
    expectedStatus: helper.roles.has(0) ? 200 : 404,
  });
  helper.roles.delete(0);
};

/** A revoked session is rejected by every operation that requires authentication. */
export const endSession: PlayOperation = async (world, { protocol, dice }) => {
  const { customer } = world.actors;
  const { email } = world.member;
  const signedIn = await signIn(world.t, email);
  const sessionActor = { ...customer, person: { userId: signedIn.userId, token: signedIn.token } };
  const sessions = await callOperation<{ items: { id: string; isCurrent: boolean }[] }>(world, {
    operation: 'ListSessions',
    actor: sessionActor,
    protocol,
    input: { query: { limit: 100 } },
    expectedStatus: 200,
  });
  const current = sessions?.items.find(({ isCurrent }) => isCurrent);
  assertContract(current !== undefined, 'current session', () => JSON.stringify(sessions));
  await callOperation(world, {
    operation: 'RevokeSession',
    actor: sessionActor,
    protocol,
    input: { path: { id: current.id } },
    expectedStatus: 200,
  });
  const shop = pickShop(world, dice);
  for (const operation of ['ListProducts', 'ListOrders', 'GetMe', 'ListSessions']) {
    const { status } = await sendRequest(world, {
      operation,
      actor: sessionActor,
      protocol,
      input: { path: businessPath(shop) },
    });
    assertContract(status === 401, 'revoked session', () => `${operation} answered ${status}`);
  }
};

const promoTerms: [NonNullable<PriceTerms['promo']>, ...NonNullable<PriceTerms['promo']>[]] = [
  { type: 'PERCENTAGE', bps: 1000 },
  { type: 'PERCENTAGE', bps: 10_000 },
  { type: 'FIXED', amount: 333 },
  { type: 'FREE_SHIPPING' },
];

export const createPromo: PlayOperation = async (world, context) => {
  const { actor, dice } = context;
  const shop = pickShop(world, dice, actor);
  const terms = dice.oneOf(promoTerms);
  const maxUses = dice.chance(0.6) ? dice.between(1, 3) : undefined;
  await addPromoCode(world, context, { shop, terms, maxUses });
};

/** Creates a promo code and returns it; undefined if the model expects a rejection. */
export async function addPromoCode(
  world: World,
  { actor, protocol }: OperationContext,
  { shop, terms, maxUses }: Pick<KnownPromo, 'terms' | 'maxUses'> & { shop: KnownShop },
): Promise<string | undefined> {
  world.counter += 1;
  const code = `CODE${world.counter}`;
  const body = await callOperation<{ id: string }>(world, {
    operation: 'CreatePromoCode',
    actor,
    protocol,
    input: {
      path: businessPath(shop),
      body: {
        code,
        ...terms,
        ...(terms.type === 'FIXED' ? { currency: 'USD' } : {}),
        ...(maxUses === undefined ? {} : { maxUses }),
      },
    },
    expectedStatus: createStatus(actor, 'ADMIN', shop.number),
  });
  if (!body) return undefined;
  world.promos.push({ id: body.id, code, shop: shop.number, deleted: false, terms, maxUses });
  return code;
}

export const deletePromo: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const promo = dice.pick(world.promos);
  if (!promo) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, promo, caller);
  const body = await callOperation(world, {
    operation: 'DeletePromoCode',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: promo.id } },
    expectedStatus: changeStatus(actor, 'ADMIN', addressedShop.number, promo),
  });
  if (body) promo.deleted = true;
};

/** One thing that can happen, and what most of them need: a shop, a path, a record under the right or the wrong address. */
import type { SimulatedProtocol } from '../call-operation.ts';
import type { ModelRecord } from '../model.ts';
import type { Dice } from '../seeded-random.ts';
import type { Actor, KnownShop, World } from '../world.ts';

export interface OperationContext {
  actor: Actor;
  protocol: SimulatedProtocol;
  dice: Dice;
}

export type PlayOperation = (world: World, turn: OperationContext) => Promise<void>;

export const businessPath = ({ businessId }: KnownShop): Record<string, string> => ({ businessId });

/** Mostly where somebody works, or the first: two busy shops would need twice the steps. */
export function pickShop({ shops }: World, dice: Dice, asker?: Actor): KnownShop {
  const isUsual = dice.chance(0.85);
  return shops[(asker?.roles.has(1) ? !isUsual : isUsual) ? 0 : 1];
}

export const adminOf = ({ actors }: World, { number }: KnownShop): Actor =>
  actors[number === 0 ? 'admin' : 'rival'];

/** Where a record is asked for, and by whom. Now and then at the other shop: mostly by somebody who may do it there. */
export function pickAddress(
  world: World,
  dice: Dice,
  { shop }: ModelRecord,
  asker: Actor,
): { named: KnownShop; actor: Actor } {
  const isHome = dice.chance(0.72);
  const named = world.shops[isHome ? shop : shop === 0 ? 1 : 0];
  const isOfOther = asker.roles.size > 0 && !asker.roles.has(shop);
  const isReplaced = dice.chance(0.8) && (!isHome || isOfOther);
  return { named, actor: isReplaced ? adminOf(world, named) : asker };
}

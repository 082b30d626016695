/** One thing that can happen, and what most of them need: a shop, a path, a record under the right or the wrong address. */
import type { Voice } from '../call.ts';
import type { Addressed } from '../model.ts';
import type { Dice } from '../random.ts';
import type { Actor, KnownShop, World } from '../world.ts';

export interface Turn {
  actor: Actor;
  voice: Voice;
  dice: Dice;
}

export type Play = (world: World, turn: Turn) => Promise<void>;

export const pathOf = ({ businessId }: KnownShop): Record<string, string> => ({ businessId });

/** Mostly where somebody works, or the first: two busy shops would need twice the steps. */
export function shopFor({ shops }: World, dice: Dice, asker?: Actor): KnownShop {
  const isUsual = dice.chance(0.85);
  return shops[(asker?.roles.has(1) ? !isUsual : isUsual) ? 0 : 1];
}

export const staffOf = ({ actors }: World, { number }: KnownShop): Actor =>
  actors[number === 0 ? 'admin' : 'rival'];

/** Where a record is asked for, and by whom. Now and then at the other shop: mostly by somebody who may do it there. */
export function visit(
  world: World,
  dice: Dice,
  { shop }: Addressed,
  asker: Actor,
): { named: KnownShop; actor: Actor } {
  const isHome = dice.chance(0.72);
  const named = world.shops[isHome ? shop : shop === 0 ? 1 : 0];
  const isOfOther = asker.roles.size > 0 && !asker.roles.has(shop);
  const isReplaced = dice.chance(0.8) && (!isHome || isOfOther);
  return { named, actor: isReplaced ? staffOf(world, named) : asker };
}

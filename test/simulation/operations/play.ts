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

/** Mostly the first: two busy shops would need twice the steps. */
export const shopFor = ({ shops }: World, dice: Dice): KnownShop => shops[dice.chance(0.85) ? 0 : 1];

/** Where a record is asked for, and by whom. Now and then at the other shop: mostly by somebody who may do it there. */
export function visit(
  { shops, actors }: World,
  dice: Dice,
  { shop }: Addressed,
  asker: Actor,
): { named: KnownShop; actor: Actor } {
  if (dice.chance(0.8)) return { named: shops[shop], actor: asker };
  const named = shops[shop === 0 ? 1 : 0];
  return { named, actor: dice.chance(0.8) ? actors[named.number === 0 ? 'admin' : 'rival'] : asker };
}

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

/** The shop a record is asked of: its own but for now and then. */
export const namedShop = ({ shops }: World, dice: Dice, { shop }: Addressed): KnownShop =>
  dice.chance(0.92) ? shops[shop] : shops[shop === 0 ? 1 : 0];

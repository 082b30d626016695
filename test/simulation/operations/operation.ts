/** Types of an operation of a walk, and helpers that pick a business, an actor and a path. */
import type { SimulatedProtocol } from '../call-operation.ts';
import type { ModelRecord } from '../model.ts';
import type { Dice } from '../seeded-random.ts';
import type { Actor, KnownShop, World } from '../world.ts';

export interface OperationContext {
  actor: Actor;
  protocol: SimulatedProtocol;
  dice: Dice;
}

export type PlayOperation = (world: World, context: OperationContext) => Promise<void>;

export const businessPath = ({ businessId }: KnownShop): Record<string, string> => ({ businessId });

/** Usually the business of the caller, or the first: two busy businesses would need twice the steps. */
export function pickShop({ shops }: World, dice: Dice, caller?: Actor): KnownShop {
  const isFirstChoice = dice.chance(0.85);
  return shops[(caller?.roles.has(1) ? !isFirstChoice : isFirstChoice) ? 0 : 1];
}

export const adminOf = ({ actors }: World, { number }: KnownShop): Actor =>
  actors[number === 0 ? 'admin' : 'rival'];

/**
 * Business in the path of a request for a record, and its actor. Sometimes the wrong business, mostly with an actor who has permissions
 * there.
 */
export function pickAddress(
  world: World,
  dice: Dice,
  { shop }: ModelRecord,
  caller: Actor,
): { named: KnownShop; actor: Actor } {
  const isOwnShop = dice.chance(0.72);
  const addressedShop = world.shops[isOwnShop ? shop : shop === 0 ? 1 : 0];
  const isStaffElsewhere = caller.roles.size > 0 && !caller.roles.has(shop);
  const isReplaced = dice.chance(0.8) && (!isOwnShop || isStaffElsewhere);
  return { named: addressedShop, actor: isReplaced ? adminOf(world, addressedShop) : caller };
}

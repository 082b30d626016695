/** The steps of a walk: they follow from its seed alone, and each means much the same without the others. */
import type { SimulatedProtocol } from './call-operation.ts';
import { type OperationName, operations, scenarios } from './operations/index.ts';
import { type FailureMode, failureModes } from './failing-ports.ts';
import { Dice, createRandom } from './seeded-random.ts';
import { type ActorName, actorNames } from './world.ts';

export interface Step {
  operation: OperationName;
  actor: ActorName;
  protocol: SimulatedProtocol;
  /** What it chooses with. */
  dice: number;
  failure?: FailureMode;
}

const names = Object.keys(operations) as OperationName[];
const storyNames = Object.keys(scenarios) as (keyof typeof scenarios)[];
const whole = names.reduce((sum, name) => sum + operations[name].weight, 0);

function chosen(at: number): OperationName {
  let left = at * whole;
  for (const name of names) {
    left -= operations[name].weight;
    if (left < 0) return name;
  }
  return 'work';
}

/** What comes first, by those who may: most of the rest needs something that is there. */
const opening: readonly OperationName[] = [
  ...(['createProduct', 'createPromo', 'createProduct', 'createEntry', 'checkout', 'onPage'] as const),
  ...(['createProduct', 'checkout', 'work', 'createEntry', 'onPage', 'subscribe', 'work'] as const),
  ...(['checkout', 'onPage', 'work', 'refundOrder', 'work', 'readOrders', 'setOrderStatus'] as const),
  ...storyNames,
];

/** Then everything else once, by those who mostly do it: short walks, too, have been everywhere. */
const isStory = (name: string) => name in scenarios;
const planned: readonly OperationName[] = [...opening, ...names.filter((name) => !isStory(name))];

export function generateSteps(seed: number, count: number): Step[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const operation = planned[index] ?? chosen(random());
    const dice = Math.floor(random() * 0xffff_ffff);
    const choice = new Dice(dice ^ 0x5bd1_e995);
    const { by } = operations[operation];
    const trouble = choice.chance(0.12) ? choice.oneOf(failureModes) : undefined;
    const actor = choice.pick<ActorName>(choice.chance(0.75) || index < planned.length ? by : actorNames);
    return {
      operation,
      actor: (index < opening.length ? by[0] : actor) ?? 'admin',
      voice: choice.oneOf<SimulatedProtocol>(['rest', 'graphql']),
      dice,
      ...(trouble ? { trouble } : {}),
    };
  });
}

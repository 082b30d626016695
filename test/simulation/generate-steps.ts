/** Generates the steps of a walk from its seed. Each step does much the same when others are left out. */
import type { SimulatedProtocol } from './call-operation.ts';
import { failureModes, type PortFailure } from './failing-ports.ts';
import { type OperationName, operations, scenarios } from './operations/index.ts';
import { createRandom, Dice } from './seeded-random.ts';
import { type ActorName, actorNames } from './world.ts';

export interface Step {
  operation: OperationName;
  actor: ActorName;
  protocol: SimulatedProtocol;
  /** Seed of the random choices of the step. */
  dice: number;
  failure?: PortFailure;
}

const names = Object.keys(operations) as OperationName[];
const scenarioNames = Object.keys(scenarios) as (keyof typeof scenarios)[];
const totalWeight = names.reduce((sum, name) => sum + operations[name].weight, 0);

function pickOperation(position: number): OperationName {
  let remaining = position * totalWeight;
  for (const name of names) {
    remaining -= operations[name].weight;
    if (remaining < 0) return name;
  }
  return 'runJobs';
}

/** First steps, by actors with the permission: most later steps need existing records. */
const opening: readonly OperationName[] = [
  ...(['createProduct', 'createPromo', 'createProduct', 'createEntry', 'checkout'] as const),
  ...(['actOnPaymentPage', 'createProduct', 'checkout', 'runJobs', 'createEntry'] as const),
  ...(['actOnPaymentPage', 'subscribe', 'runJobs', 'checkout', 'actOnPaymentPage'] as const),
  ...(['runJobs', 'refundOrder', 'runJobs', 'readOrders', 'setOrderStatus'] as const),
  ...scenarioNames,
];

/** After the first steps, every operation once by one of its usual actors, so that short walks cover all operations. */
const isScenario = (name: string) => name in scenarios;
const planned: readonly OperationName[] = [...opening, ...names.filter((name) => !isScenario(name))];

export function generateSteps(seed: number, count: number): Step[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const operation = planned[index] ?? pickOperation(random());
    const dice = Math.floor(random() * 0xffff_ffff);
    const choice = new Dice(dice ^ 0x5bd1_e995);
    const { actors: usualActors } = operations[operation];
    const usualFailure = choice.chance(0.12) ? choice.oneOf(failureModes) : undefined;
    // Seldom, because the walk waits for the deadline.
    const failure = new Dice(dice ^ 0x27d4_eb2f).chance(0.015) ? 'hangs' : usualFailure;
    const actor = choice.pick<ActorName>(
      choice.chance(0.75) || index < planned.length ? usualActors : actorNames,
    );
    return {
      operation,
      actor: (index < opening.length ? usualActors[0] : actor) ?? 'admin',
      protocol: choice.oneOf<SimulatedProtocol>(['rest', 'graphql']),
      dice,
      ...(failure ? { failure } : {}),
    };
  });
}

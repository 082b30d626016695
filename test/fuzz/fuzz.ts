/** Asks what nobody would ask, in both voices, and holds every answer against the contract. */
import { ContractViolation } from '../simulation/contract-violation.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { createScratchApp } from '../support/scratch-app.ts';
import { fuzzGraphql } from './fuzz-graphql.ts';
import { createFixtures } from './fixtures.ts';
import { fuzzRawRequest, fuzzRest } from './fuzz-rest.ts';

export interface FuzzFinding {
  request: number;
  violation: ContractViolation;
}

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** Stops after so many kinds of faults; the first by default. */
  most?: number;
  /** Stops after so much time, though not before a few hundred requests. */
  seconds?: number;
  progress?: (count: number) => void;
  /** How often each kind of request got which answer: requests that are always refused prove nothing. */
  tally?: Map<string, number>;
}

/** After so many requests most records are gone or changed beyond use: there is new ground for the next. */
const lifetime = 2500;
const least = 200;

/** The first of each kind of fault. */
export async function fuzz(options: FuzzOptions): Promise<FuzzFinding[]> {
  const { seed, requests, most = 1, seconds = Number.POSITIVE_INFINITY, progress, tally } = options;
  const found = new Map<string, FuzzFinding>();
  let busyMs = 0;
  const isOver = (request: number) =>
    request > requests || found.size >= most || (request > least && busyMs > seconds * 1000);
  for (let from = 1; !isOver(from); from += lifetime) {
    const { t, close } = await createScratchApp();
    try {
      const ground = await createFixtures(t);
      for (let request = from; request < from + lifetime && !isOver(request); request += 1) {
        const started = performance.now();
        const dice = new Dice(seed * 1_000_003 + request);
        const kind = dice.between(0, 19);
        const ask = kind < 11 ? fuzzRest : kind < 12 ? fuzzRawRequest : fuzzGraphql;
        try {
          const outcome = await ask(ground, dice);
          tally?.set(outcome, (tally.get(outcome) ?? 0) + 1);
        } catch (error) {
          const fault = asFault(error);
          if (!found.has(fault.kind)) found.set(fault.kind, { request, violation: fault });
        }
        busyMs += performance.now() - started;
        progress?.(request);
      }
    } finally {
      await close();
    }
  }
  return [...found.values()];
}

const asFault = (error: unknown): ContractViolation =>
  error instanceof ContractViolation
    ? error
    : new ContractViolation('thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));

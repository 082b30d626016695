/** Sends unusual requests in both protocols and checks every response against the contract. */
import type { Viewer } from '../parity/fixtures.ts';
import { ContractViolation } from '../simulation/contract-violation.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { createScratchApp } from '../support/scratch-app.ts';
import { createFixtures } from './fixtures.ts';
import { fuzzGraphql } from './fuzz-graphql.ts';
import { fuzzRawRequest, fuzzRest } from './fuzz-rest.ts';
import { openSessions, renewEndedSession } from './sessions.ts';

export interface FuzzFinding {
  request: number;
  violation: ContractViolation;
}

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** Stops after this number of different violations; default 1. */
  most?: number;
  /** Stops after this time, but not before 200 requests; default: no limit. */
  seconds?: number;
  progress?: (count: number) => void;
  /** Number of responses per operation and outcome: a run with errors only proves nothing. */
  tally?: Map<string, number>;
  /** Called when a viewer whose session was ended is signed in again. */
  onRenewed?: () => void;
}

/** Response of one request, as `<operation> <status or code>`. */
export interface FuzzOutcome {
  outcome: string;
  viewer: Viewer;
}

/** Requests per set of fixtures: after these, most records are deleted or unusable. */
const requestsPerFixtures = 2500;
const minRequests = 200;

/** The first violation of each kind. */
export async function fuzz(options: FuzzOptions): Promise<FuzzFinding[]> {
  const {
    seed,
    requests,
    most: maxFindings = 1,
    seconds = Number.POSITIVE_INFINITY,
    progress,
    tally,
    onRenewed,
  } = options;
  const findings = new Map<string, FuzzFinding>();
  let busyMs = 0;
  const isFinished = (request: number) =>
    request > requests || findings.size >= maxFindings || (request > minRequests && busyMs > seconds * 1000);
  for (let first = 1; !isFinished(first); first += requestsPerFixtures) {
    const { t, close } = await createScratchApp();
    try {
      const fixtures = await createFixtures(t);
      await openSessions(fixtures);
      for (let request = first; request < first + requestsPerFixtures && !isFinished(request); request += 1) {
        const started = performance.now();
        const dice = new Dice(seed * 1_000_003 + request);
        const kind = dice.between(0, 19);
        const fuzzRequest = kind < 11 ? fuzzRest : kind < 12 ? fuzzRawRequest : fuzzGraphql;
        try {
          const { outcome, viewer } = await fuzzRequest(fixtures, dice);
          tally?.set(outcome, (tally.get(outcome) ?? 0) + 1);
          if (/ (?:401|UNAUTHENTICATED)$/.test(outcome) && (await renewEndedSession(fixtures, viewer)))
            onRenewed?.();
        } catch (error) {
          const violation = toViolation(error);
          if (!findings.has(violation.kind)) findings.set(violation.kind, { request, violation });
        }
        busyMs += performance.now() - started;
        progress?.(request);
      }
    } finally {
      await close();
    }
  }
  return [...findings.values()];
}

const toViolation = (error: unknown): ContractViolation =>
  error instanceof ContractViolation
    ? error
    : new ContractViolation(
        'thrown',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );

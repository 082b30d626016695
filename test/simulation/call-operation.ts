/** One call of an actor in one voice, held against what the model expects and what nobody may read. */
import { routes } from '../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { type RouteInput, callInGraphql, callInRest, type RouteResponse } from '../support/protocol-clients.ts';
import { assertContract, ContractViolation } from './contract-violation.ts';
import type { Actor, World } from './world.ts';

export type SimulatedProtocol = 'rest' | 'graphql';

export const otherProtocol = (voice: SimulatedProtocol): SimulatedProtocol => (voice === 'rest' ? 'graphql' : 'rest');

const byOperation = new Map<string, RestRoute>();
for (const row of routes) if (!byOperation.has(row.operation.name)) byOperation.set(row.operation.name, row);

export interface OperationCall {
  operation: string;
  actor: Actor;
  protocol: SimulatedProtocol;
  input: RouteInput;
  /** The statuses that the model allows. */
  expectedStatus: number | readonly number[];
  idempotencyKey?: string | undefined;
}

/** The body of an answer with status 200; undefined when it was refused, as expected. */
export async function callOperation<Body = Record<string, unknown>>(
  world: World,
  of: OperationCall,
): Promise<Body | undefined> {
  const told = await sendRequest(world, of);
  const expected = typeof of.expectedStatus === 'number' ? [of.expectedStatus] : of.expectedStatus;
  assertContract(
    expected.includes(told.status),
    `status of ${of.operation}`,
    () =>
      `${of.actor.name} in ${of.protocol} got ${told.status}, expected ${expected.join(' or ')}: ` +
      `${JSON.stringify(of.input)} ${JSON.stringify(told.body)}`.slice(0, 2000),
  );
  return told.status === 200 ? (told.body as Body) : undefined;
}

export async function sendRequest(
  world: World,
  { operation, actor, protocol: voice, input: asked, idempotencyKey }: Omit<OperationCall, 'expectedStatus'>,
): Promise<RouteResponse> {
  const row = byOperation.get(operation);
  if (!row) throw new Error(`No row runs ${operation}.`);
  const speak = voice === 'rest' ? callInRest : callInGraphql;
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const told = await speak(world.t, row, asked, actor.person, headers).catch((error: unknown) => {
    throw new ContractViolation(`contract of ${operation}`, error instanceof Error ? error.message : String(error));
  });
  const outcome = `${operation} ${told.status}`;
  world.tally.set(outcome, (world.tally.get(outcome) ?? 0) + 1);
  const isHonest = told.status < 500 || (told.status === 503 && world.ports.failure !== undefined);
  assertContract(
    isHonest,
    `${told.status} of ${operation}`,
    () => `${actor.name} in ${voice}: ${JSON.stringify(asked)}`,
  );
  assertNoSecrets(world, actor, operation, told.body);
  return told;
}

export function assertNoSecrets(world: World, actor: Actor, operation: string, body: unknown): void {
  for (const [mark] of JSON.stringify(body ?? null).matchAll(/secret-\d+-mark/g)) {
    const isAllowed = world.secrets.get(mark)?.mayRead(actor) ?? false;
    assertContract(isAllowed, `secret in ${operation}`, () => `${actor.name} was told ${mark}`);
  }
}

/** Calls an operation as an actor in one protocol, and checks the status against the model and the body for secrets. */
import { routes } from '../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import {
  callInGraphql,
  callInRest,
  type RouteInput,
  type RouteResponse,
} from '../support/protocol-clients.ts';
import { assertContract, ContractViolation } from './contract-violation.ts';
import type { Actor, World } from './world.ts';

export type SimulatedProtocol = 'rest' | 'graphql';

export const otherProtocol = (protocol: SimulatedProtocol): SimulatedProtocol =>
  protocol === 'rest' ? 'graphql' : 'rest';

const routesByOperation = new Map<string, RestRoute>();
for (const route of routes)
  if (!routesByOperation.has(route.operation.name)) routesByOperation.set(route.operation.name, route);

export interface OperationCall {
  operation: string;
  actor: Actor;
  protocol: SimulatedProtocol;
  input: RouteInput;
  /** Statuses that the model allows. */
  expectedStatus: number | readonly number[];
  idempotencyKey?: string | undefined;
}

/** Body of a response with status 200; undefined for another expected status. */
export async function callOperation<Body = Record<string, unknown>>(
  world: World,
  call: OperationCall,
): Promise<Body | undefined> {
  const response = await sendRequest(world, call);
  const expected = typeof call.expectedStatus === 'number' ? [call.expectedStatus] : call.expectedStatus;
  assertContract(
    expected.includes(response.status),
    `status of ${call.operation}`,
    () =>
      `${call.actor.name} in ${call.protocol} got ${response.status}, expected ${expected.join(' or ')}: ` +
      `${JSON.stringify(call.input)} ${JSON.stringify(response.body)}`.slice(0, 2000),
  );
  return response.status === 200 ? (response.body as Body) : undefined;
}

export async function sendRequest(
  world: World,
  { operation, actor, protocol, input, idempotencyKey }: Omit<OperationCall, 'expectedStatus'>,
): Promise<RouteResponse> {
  const route = routesByOperation.get(operation);
  if (!route) throw new Error(`No route runs ${operation}.`);
  const send = protocol === 'rest' ? callInRest : callInGraphql;
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const response = await send(world.t, route, input, actor.person, headers).catch((error: unknown) => {
    throw new ContractViolation(
      `contract of ${operation}`,
      error instanceof Error ? error.message : String(error),
    );
  });
  const outcome = `${operation} ${response.status}`;
  world.tally.set(outcome, (world.tally.get(outcome) ?? 0) + 1);
  const isExpectedStatus =
    response.status < 500 || (response.status === 503 && world.ports.failure !== undefined);
  assertContract(
    isExpectedStatus,
    `${response.status} of ${operation}`,
    () => `${actor.name} in ${protocol}: ${JSON.stringify(input)}`,
  );
  assertNoSecrets(world, actor, operation, response.body);
  return response;
}

export function assertNoSecrets(world: World, actor: Actor, operation: string, body: unknown): void {
  for (const [mark] of JSON.stringify(body ?? null).matchAll(/secret-\d+-mark/g)) {
    const isAllowed = world.secrets.get(mark)?.mayRead(actor) ?? false;
    assertContract(isAllowed, `secret in ${operation}`, () => `${actor.name} received ${mark}`);
  }
}

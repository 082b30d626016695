/** One call of an actor in one voice, held against what the model expects and what nobody may read. */
import { routes } from '../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { type Asked, inGraphql, inRest, type Told } from '../support/voices.ts';
import { demand, Fault } from './fault.ts';
import type { Actor, World } from './world.ts';

export type Voice = 'rest' | 'graphql';

export const otherVoice = (voice: Voice): Voice => (voice === 'rest' ? 'graphql' : 'rest');

const byOperation = new Map<string, RestRoute>();
for (const row of routes) if (!byOperation.has(row.operation.name)) byOperation.set(row.operation.name, row);

export interface Call {
  operation: string;
  actor: Actor;
  voice: Voice;
  asked: Asked;
  /** The statuses that the model allows. */
  expect: number | readonly number[];
  idempotencyKey?: string | undefined;
}

/** The body of an answer with status 200; undefined when it was refused, as expected. */
export async function call<Body = Record<string, unknown>>(
  world: World,
  of: Call,
): Promise<Body | undefined> {
  const told = await ask(world, of);
  const expected = typeof of.expect === 'number' ? [of.expect] : of.expect;
  demand(
    expected.includes(told.status),
    `status of ${of.operation}`,
    () =>
      `${of.actor.name} in ${of.voice} got ${told.status}, expected ${expected.join(' or ')}: ` +
      `${JSON.stringify(of.asked)} ${JSON.stringify(told.body)}`.slice(0, 2000),
  );
  return told.status === 200 ? (told.body as Body) : undefined;
}

export async function ask(
  world: World,
  { operation, actor, voice, asked, idempotencyKey }: Omit<Call, 'expect'>,
): Promise<Told> {
  const row = byOperation.get(operation);
  if (!row) throw new Error(`No row runs ${operation}.`);
  const speak = voice === 'rest' ? inRest : inGraphql;
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const told = await speak(world.t, row, asked, actor.person, headers).catch((error: unknown) => {
    throw new Fault(`contract of ${operation}`, error instanceof Error ? error.message : String(error));
  });
  const outcome = `${operation} ${told.status}`;
  world.tally.set(outcome, (world.tally.get(outcome) ?? 0) + 1);
  const isHonest = told.status < 500 || (told.status === 503 && world.ports.trouble !== undefined);
  demand(
    isHonest,
    `${told.status} of ${operation}`,
    () => `${actor.name} in ${voice}: ${JSON.stringify(asked)}`,
  );
  lookForSecrets(world, actor, operation, told.body);
  return told;
}

export function lookForSecrets(world: World, actor: Actor, operation: string, body: unknown): void {
  for (const [mark] of JSON.stringify(body ?? null).matchAll(/secret-\d+-mark/g)) {
    const isAllowed = world.secrets.get(mark)?.mayRead(actor) ?? false;
    demand(isAllowed, `secret in ${operation}`, () => `${actor.name} was told ${mark}`);
  }
}

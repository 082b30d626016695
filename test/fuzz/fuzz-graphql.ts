/** GraphQL requests from the schema: documents that make sense, and some that do not. */
import { httpStatus } from '../../src/errors.ts';
import { assertContract } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import { assertResponsive } from './event-loop-time.ts';
import { findShapeError } from './response-shape.ts';
import { breakDocument, generateDocument } from './documents.ts';
import { pickCaller, checkSecrets, type FuzzFixtures, isVolatileField } from './fixtures.ts';

/** From its third run on a document may be compiled. */
const untilCompiled = 4;

const withoutMoment = (key: string, value: unknown) => (isVolatileField(key) ? undefined : value);

export async function fuzzGraphql({ t, ...ground }: FuzzFixtures, dice: Dice): Promise<string> {
  const { viewer, as, ids } = pickCaller({ t, ...ground }, dice);
  const { query: whole, variables, isMutation } = generateDocument(dice, ids);
  const isBroken = dice.chance(0.1);
  const query = isBroken ? breakDocument(whole, dice) : whole;
  const root = /\{ (\w+)/.exec(whole)?.[1] ?? '';
  const what = () => `${viewer}: ${JSON.stringify({ query, variables })}`.slice(0, 2500);
  const ask = () => t.graphql(query, variables, { as });
  const answer = await assertResponsive(root, what, ask);
  assertContract(answer.status < 500, `${answer.status} of ${root}`, what);
  for (const { extensions, message } of answer.errors) {
    const isKnown = String(extensions?.code) in httpStatus && extensions.code !== 'INTERNAL';
    assertContract(isKnown, `code of ${root}`, () => `${extensions?.code} (${message}) ${what()}`);
  }
  checkSecrets(viewer, answer, what);
  if (!isBroken) {
    const fault = findShapeError(query, answer.data);
    assertContract(fault === undefined, `shape of ${root}`, () => `${fault} ${what()}`);
    assertContract(
      answer.data !== undefined || answer.errors.length > 0,
      `nothing of ${root}`,
      () => `${JSON.stringify(answer)} ${what()}`,
    );
  }
  if (!isMutation && dice.chance(0.1)) {
    // Which errors are told beside the one that took everything away is a matter of time.
    const before = JSON.stringify(answer.data, withoutMoment);
    for (let run = 1; run < untilCompiled; run += 1) {
      const after = JSON.stringify((await ask()).data, withoutMoment);
      assertContract(before === after, `again ${root}`, () => `${before} became ${after} ${what()}`);
    }
  }
  return `${isBroken ? 'broken' : root} ${answer.errors[0]?.extensions.code ?? 'fine'}`;
}

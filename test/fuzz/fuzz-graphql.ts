/** Fuzzes GraphQL with documents generated from the schema, some of them broken. */
import { httpStatusByErrorCode } from '../../src/errors.ts';
import { assertContract } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import { breakDocument, generateDocument } from './documents.ts';
import { assertResponsive } from './event-loop-time.ts';
import { checkSecrets, type FuzzFixtures, isVolatileField, pickCaller } from './fixtures.ts';
import type { FuzzOutcome } from './fuzz.ts';
import { findShapeError } from './response-shape.ts';

/** Number of runs of a document: the gateway may compile it from the third run on. */
const runsUntilCompiled = 4;

const withoutVolatileFields = (key: string, value: unknown) => (isVolatileField(key) ? undefined : value);

export async function fuzzGraphql({ t, ...fixtures }: FuzzFixtures, dice: Dice): Promise<FuzzOutcome> {
  const { viewer, as, ids } = pickCaller({ t, ...fixtures }, dice);
  const { query: document, variables, isMutation } = generateDocument(dice, ids);
  const isMalformed = dice.chance(0.1);
  const query = isMalformed ? breakDocument(document, dice) : document;
  const root = /\{ (\w+)/.exec(document)?.[1] ?? '';
  const describe = () => `${viewer}: ${JSON.stringify({ query, variables })}`.slice(0, 2500);
  const send = () => t.graphql(query, variables, { as });
  const response = await assertResponsive(root, describe, send);
  assertContract(response.status < 500, `${response.status} of ${root}`, describe);
  for (const { extensions, message } of response.errors) {
    const isDocumentedCode =
      String(extensions?.code) in httpStatusByErrorCode && extensions.code !== 'INTERNAL';
    assertContract(
      isDocumentedCode,
      `code of ${root}`,
      () => `${extensions?.code} (${message}) ${describe()}`,
    );
  }
  checkSecrets(viewer, response, describe);
  if (!isMalformed) {
    const shapeError = findShapeError(query, response.data);
    assertContract(shapeError === undefined, `shape of ${root}`, () => `${shapeError} ${describe()}`);
    assertContract(
      response.data !== undefined || response.errors.length > 0,
      `empty response of ${root}`,
      () => `${JSON.stringify(response)} ${describe()}`,
    );
  }
  if (!isMutation && dice.chance(0.1)) {
    // Compares data only: which other errors accompany the one that nulls the data depends on timing.
    const before = JSON.stringify(response.data, withoutVolatileFields);
    for (let run = 1; run < runsUntilCompiled; run += 1) {
      const after = JSON.stringify((await send()).data, withoutVolatileFields);
      assertContract(before === after, `repeated ${root}`, () => `${before} became ${after} ${describe()}`);
    }
  }
  const outcome = `${isMalformed ? 'broken' : root} ${response.errors[0]?.extensions.code ?? 'fine'}`;
  return { outcome, viewer };
}

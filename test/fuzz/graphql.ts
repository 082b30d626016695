/** GraphQL requests from the schema: documents that make sense, and some that do not. */
import { httpStatus } from '../../src/errors.ts';
import { demand } from '../simulation/fault.ts';
import type { Dice } from '../simulation/random.ts';
import { promptly } from './busy.ts';
import { dataFault } from './conforms.ts';
import { brokenText, documentOf } from './documents.ts';
import { askerFor, checkSecrets, type Ground, isMoment } from './ground.ts';

/** From its third run on a document may be compiled. */
const untilCompiled = 4;

const withoutMoment = (key: string, value: unknown) => (isMoment(key) ? undefined : value);

export async function askGraphql({ t, ...ground }: Ground, dice: Dice): Promise<string> {
  const { viewer, as, ids } = askerFor({ t, ...ground }, dice);
  const { query: whole, variables, isMutation } = documentOf(dice, ids);
  const isBroken = dice.chance(0.1);
  const query = isBroken ? brokenText(whole, dice) : whole;
  const root = /\{ (\w+)/.exec(whole)?.[1] ?? '';
  const what = () => `${viewer}: ${JSON.stringify({ query, variables })}`.slice(0, 2500);
  const ask = () => t.graphql(query, variables, { as });
  const answer = await promptly(root, what, ask);
  demand(answer.status < 500, `${answer.status} of ${root}`, what);
  for (const { extensions, message } of answer.errors) {
    const isKnown = String(extensions?.code) in httpStatus && extensions.code !== 'INTERNAL';
    demand(isKnown, `code of ${root}`, () => `${extensions?.code} (${message}) ${what()}`);
  }
  checkSecrets(viewer, answer, what);
  if (!isBroken) {
    const fault = dataFault(query, answer.data);
    demand(fault === undefined, `shape of ${root}`, () => `${fault} ${what()}`);
    demand(
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
      demand(before === after, `again ${root}`, () => `${before} became ${after} ${what()}`);
    }
  }
  return `${isBroken ? 'broken' : root} ${answer.errors[0]?.extensions.code ?? 'fine'}`;
}

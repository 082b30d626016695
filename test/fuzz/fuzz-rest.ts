/** REST requests from the printed contract: as it says, with one part changed, or with the whole request out of shape. */
import { routes } from '../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Sample } from '../parity/fixtures.ts';
import { samples } from '../parity/samples/index.ts';
import { assertContract, ContractViolation } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import { type RouteInput, callInGraphql, callInRest, hasValidVariableTypes, type RouteResponse } from '../support/protocol-clients.ts';
import { assertResponsive } from './event-loop-time.ts';
import { type FuzzCaller, pickCaller, checkSecrets, type FuzzFixtures, isVolatileField } from './fixtures.ts';
import { requestBodySchema, generateValue } from './schema-values.ts';
import { type RecordIds, mutateValue, unusualText } from './values.ts';

/** Taking the ground away from under the others proves nothing. */
const left =
  /^(Delete(Me|Business|Market|Role)|Leave|RemoveMember|Revoke|Logout|ChangePassword|SetRole|UpdateRole)/;
const asked = routes.filter(({ operation }) => !left.test(operation.name));

export async function fuzzRest(ground: FuzzFixtures, dice: Dice): Promise<string> {
  const row = dice.pick(asked);
  if (!row) throw new Error('There are no rows.');
  const asker = pickCaller(ground, dice);
  const request = requestFor(row, ground, asker.ids, dice);
  const { name } = row.operation;
  const what = () => `${asker.viewer}: ${row.method} ${row.path} ${JSON.stringify(request)}`.slice(0, 1500);
  const told = await assertResponsive(name, what, () =>
    held(name, what, () => callInRest(ground.t, row, request, asker.as)),
  );
  assertContract(told.status < 500, `${told.status} of ${name}`, what);
  checkSecrets(asker.viewer, told.body, what);
  const isHarmless = row.method === 'GET' || told.status >= 400;
  if (isHarmless && isAddressed(told) && hasValidVariableTypes(row, request))
    await checkVoices(ground, row, request, asker, told, what);
  return `${name} ${told.status}`;
}

/** Some parameters make a path that no row has. */
const isAddressed = ({ body }: RouteResponse): boolean =>
  !(body as { message?: string } | null)?.message?.startsWith('There is no /v1');

/** An answer against the contract is thrown by the test app. */
async function held<T>(name: string, what: () => string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new ContractViolation(`contract of ${name}`, `${error instanceof Error ? error.message : error} ${what()}`);
  }
}

/** What changes nothing can be asked again, in the other voice. */
async function checkVoices(
  { t }: FuzzFixtures,
  row: RestRoute,
  request: RouteInput,
  { viewer, as }: FuzzCaller,
  rest: RouteResponse,
  what: () => string,
): Promise<void> {
  const { name } = row.operation;
  const graphql = await held(name, what, () => callInGraphql(t, row, request, as));
  checkSecrets(viewer, graphql.body, what);
  const isSame = JSON.stringify(ordered(graphql)) === JSON.stringify(ordered(rest));
  assertContract(isSame, `voices of ${name}`, () => `${what()} ${JSON.stringify({ rest, graphql }).slice(0, 3000)}`);
}

/** Fields in one order, in which the voices may differ, and without the moment of the answer. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isVolatileField(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}

function requestFor(row: RestRoute, { world }: FuzzFixtures, ids: RecordIds, dice: Dice): RouteInput {
  const sample: Sample = samples[row.operation.name]?.(world) ?? {};
  const path = Object.fromEntries(
    Object.entries(sample.path ?? {}).map(([name, value]) => [
      name,
      dice.chance(0.92)
        ? value
        : dice.chance(0.4)
          ? unusualText(dice) || 'x'
          : (dice.pick(Object.values(ids)) ?? value),
    ]),
  );
  const name = dice.pick(Object.keys(row.query));
  const query =
    name !== undefined && dice.chance(0.4) ? { ...sample.query, [name]: unusualText(dice) } : sample.query;
  return { path: wellFormed(path), query: wellFormed(query ?? {}), body: bodyFor(row, sample, dice, ids) };
}

/** Half a surrogate cannot be written into an address. */
const wellFormed = <T>(values: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /[\ud800-\udfff]/.test(String(value)) ? 'x' : value,
    ]),
  ) as Record<string, T>;

function bodyFor(row: RestRoute, sample: Sample, dice: Dice, ids: RecordIds): Record<string, unknown> {
  const kind = dice.between(0, 9);
  const schema = requestBodySchema(row.method, row.path);
  const body =
    kind < 4 && schema
      ? generateValue(schema, dice, ids)
      : kind < 8
        ? mutateValue(sample.body ?? {}, dice)
        : sample.body;
  return (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}) as Record<
    string,
    unknown
  >;
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
const rawBodies = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":1e999}',
  '{"__proto__":{"isAdmin":true},"constructor":{}}',
  '{"id":"\\ud800"}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `{"a":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
] as const;
const types = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'a/b+json',
  '',
] as const;

/** Any method, any bytes, any type, on any path. */
export async function fuzzRawRequest(ground: FuzzFixtures, dice: Dice): Promise<string> {
  const { viewer, as } = pickCaller(ground, dice);
  const row = dice.pick(asked);
  const { path = {}, query = {} } = samples[row?.operation.name ?? '']?.(ground.world) ?? {};
  const address = (row?.path ?? '/v1').replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? 'x'),
  );
  const method = dice.oneOf(methods);
  const search = dice.chance(0.3)
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
    : '';
  const request = {
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: dice.oneOf(rawBodies) }),
    headers: {
      accept: dice.oneOf(['application/json', '*/*', 'text/html', 'x']),
      'content-type': dice.oneOf(types),
      'if-match': dice.oneOf(['"1"', '*', 'x', '"1-abc", W/"2"']),
      'idempotency-key': dice.oneOf(['a', 'x'.repeat(300), '%00']),
    },
  };
  const what = () => `${viewer}: ${method} ${address}${search} ${JSON.stringify(request).slice(0, 600)}`;
  const kind = `odd ${row?.operation.name}`;
  const told = await assertResponsive(kind, what, () =>
    held(kind, what, () => ground.t.rest<unknown>(method, `${address}${search}`, { as, ...request })),
  );
  assertContract(told.status < 500, `${told.status} of ${kind}`, what);
  checkSecrets(viewer, told.body, what);
  return `odd ${told.status}`;
}

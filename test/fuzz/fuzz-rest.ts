/** Fuzzes REST with requests from the printed contract: valid, with one part changed, or malformed. */
import { routes } from '../../src/generated/domains/routes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Sample } from '../parity/fixtures.ts';
import { samples } from '../parity/samples/index.ts';
import { assertContract, ContractViolation } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import {
  callInGraphql,
  callInRest,
  hasValidVariableTypes,
  type RouteInput,
  type RouteResponse,
} from '../support/protocol-clients.ts';
import { assertResponsive } from './event-loop-time.ts';
import { checkSecrets, type FuzzCaller, type FuzzFixtures, isVolatileField, pickCaller } from './fixtures.ts';
import type { FuzzOutcome } from './fuzz.ts';
import { generateValue, requestBodySchema } from './schema-values.ts';
import { mutateValue, type RecordIds, unusualText } from './values.ts';

/** Excluded: these would remove records or permissions that all other requests need. Ended sessions are renewed. */
const excluded = /^(Delete(Me|Business|Market|Role)|Leave|RemoveMember|SetRole|UpdateRole)/;
const fuzzedRoutes = routes.filter(({ operation }) => !excluded.test(operation.name));

export async function fuzzRest(fixtures: FuzzFixtures, dice: Dice): Promise<FuzzOutcome> {
  const route = dice.pick(fuzzedRoutes);
  if (!route) throw new Error('There are no routes.');
  const caller = pickCaller(fixtures, dice);
  const request = generateRequest(route, fixtures, caller.ids, dice);
  const { name } = route.operation;
  const describe = () =>
    `${caller.viewer}: ${route.method} ${route.path} ${JSON.stringify(request)}`.slice(0, 1500);
  const response = await assertResponsive(name, describe, () =>
    withContractCheck(name, describe, () => callInRest(fixtures.t, route, request, caller.as)),
  );
  assertContract(response.status < 500, `${response.status} of ${name}`, describe);
  checkSecrets(caller.viewer, response.body, describe);
  const isUnchanged = route.method === 'GET' || response.status >= 400;
  if (isUnchanged && matchedRoute(response) && hasValidVariableTypes(route, request))
    await checkProtocols(fixtures, route, request, caller, response, describe);
  return { outcome: `${name} ${response.status}`, viewer: caller.viewer };
}

/** Whether the path matched a route: unusual parameters may produce another path. */
const matchedRoute = ({ body }: RouteResponse): boolean =>
  !(body as { message?: string } | null)?.message?.startsWith('There is no /v1');

/** Converts the error that the test app throws for an undocumented response. */
async function withContractCheck<T>(
  name: string,
  describe: () => string,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw new ContractViolation(
      `contract of ${name}`,
      `${error instanceof Error ? error.message : error} ${describe()}`,
    );
  }
}

/** Repeats a request that changed nothing in GraphQL and compares the responses. */
async function checkProtocols(
  { t }: FuzzFixtures,
  route: RestRoute,
  request: RouteInput,
  { viewer, as }: FuzzCaller,
  restResponse: RouteResponse,
  describe: () => string,
): Promise<void> {
  const { name } = route.operation;
  const graphql = await withContractCheck(name, describe, () => callInGraphql(t, route, request, as));
  checkSecrets(viewer, graphql.body, describe);
  const isEqual = JSON.stringify(sortFields(graphql)) === JSON.stringify(sortFields(restResponse));
  assertContract(
    isEqual,
    `protocols of ${name}`,
    () => `${describe()} ${JSON.stringify({ rest: restResponse, graphql }).slice(0, 3000)}`,
  );
}

/** Sorts fields, because their order may differ between the protocols, and removes the time of the response. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isVolatileField(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortFields(inner)]),
  );
}

function generateRequest(route: RestRoute, { world }: FuzzFixtures, ids: RecordIds, dice: Dice): RouteInput {
  const sample: Sample = samples[route.operation.name]?.(world) ?? {};
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
  const name = dice.pick(Object.keys(route.query));
  const query =
    name !== undefined && dice.chance(0.4) ? { ...sample.query, [name]: unusualText(dice) } : sample.query;
  return {
    path: wellFormed(path),
    query: wellFormed(query ?? {}),
    body: generateBody(route, sample, dice, ids),
  };
}

/** Replaces values with a lone surrogate, which a URL cannot encode. */
const wellFormed = <T>(values: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /[\ud800-\udfff]/.test(String(value)) ? 'x' : value,
    ]),
  ) as Record<string, T>;

function generateBody(route: RestRoute, sample: Sample, dice: Dice, ids: RecordIds): Record<string, unknown> {
  const kind = dice.between(0, 9);
  const schema = requestBodySchema(route.method, route.path);
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
const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'a/b+json',
  '',
] as const;

/** Sends any method, body and content type to any path. */
export async function fuzzRawRequest(fixtures: FuzzFixtures, dice: Dice): Promise<FuzzOutcome> {
  const { viewer, as } = pickCaller(fixtures, dice);
  const route = dice.pick(fuzzedRoutes);
  const { path = {}, query = {} } = samples[route?.operation.name ?? '']?.(fixtures.world) ?? {};
  const filledPath = (route?.path ?? '/v1').replace(/:(\w+)/g, (_, name: string) =>
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
      'content-type': dice.oneOf(contentTypes),
      'if-match': dice.oneOf(['"1"', '*', 'x', '"1-abc", W/"2"']),
      'idempotency-key': dice.oneOf(['a', 'x'.repeat(300), '%00']),
    },
  };
  const describe = () =>
    `${viewer}: ${method} ${filledPath}${search} ${JSON.stringify(request).slice(0, 600)}`;
  const kind = `raw ${route?.operation.name}`;
  const response = await assertResponsive(kind, describe, () =>
    withContractCheck(kind, describe, () =>
      fixtures.t.rest<unknown>(method, `${filledPath}${search}`, { as, ...request }),
    ),
  );
  assertContract(response.status < 500, `${response.status} of ${kind}`, describe);
  checkSecrets(viewer, response.body, describe);
  return { outcome: `raw ${response.status}`, viewer };
}

/** Required fields of OpenAPI: the minimal request is accepted, and no required field may be omitted. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { contract } from '../support/contract-check.ts';
import { type ContractExample, contractExamples } from '../support/contract-examples.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };
type Body = Record<string, unknown>;

let t: TestApp;
let admin: Person;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  const { token } = await t.app.services.tokens.issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  });
  admin = { userId: demoShopIdsAndLogins.adminId, token };
});

const operations = new Map(
  Object.values(contract.paths).flatMap((item) =>
    Object.values(item as Json).map((operation) => [String(operation.operationId), operation] as const),
  ),
);

const resolved = (schema: Json): Json =>
  typeof schema.$ref === 'string'
    ? ((contract.components.schemas as Json)[String(schema.$ref).split('/').at(-1) ?? ''] as Json)
    : schema;

/** The value reduced to the fields that its schema requires. */
function minimal(schema: Json, value: unknown): unknown {
  const { type, items, properties } = resolved(schema);
  if ((type as unknown) === 'array' && items && Array.isArray(value))
    return value.slice(0, 1).map((item) => minimal(items, item));
  if (!properties || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    requiredOf(schema, value as Body).map((name) => [
      name,
      minimal(properties[name] as Json, (value as Body)[name]),
    ]),
  );
}

/** Required fields of a value, including conditional ones (`if`/`then`). */
function requiredOf(schema: Json, value: Body): string[] {
  const { required = [], allOf = [] } = resolved(schema) as unknown as {
    required?: string[];
    allOf?: Json[];
  };
  const more = allOf.flatMap((rule) => {
    const when = Object.entries((rule.if?.properties ?? {}) as Record<string, { const: unknown }>);
    const not = (rule.if?.not ?? {}) as { required?: string[]; anyOf?: { required: string[] }[] };
    const absent = [not, ...(not.anyOf ?? [])].flatMap(({ required: names = [] }) => names);
    const applies =
      when.every(([name, { const: wanted }]) => wanted === undefined || value[name] === wanted) &&
      absent.every((name) => value[name] === undefined);
    return applies ? ((rule.then?.required ?? []) as unknown as string[]) : [];
  });
  return [...new Set([...required, ...more])];
}

/** Paths of all required fields in a value, outer fields first. */
function requiredPaths(
  schema: Json,
  value: unknown,
  at: readonly (string | number)[] = [],
): (string | number)[][] {
  const { items, properties } = resolved(schema);
  if (Array.isArray(value))
    return value.flatMap((item, index) => requiredPaths(items as Json, item, [...at, index]));
  if (!properties || typeof value !== 'object' || value === null) return [];
  return requiredOf(schema, value as Body).flatMap((name) => [
    [...at, name],
    ...requiredPaths(properties[name] as Json, (value as Body)[name], [...at, name]),
  ]);
}

function without(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length > 0) copy[key as string] = without(copy[key as string], rest);
  else delete copy[key as string];
  return copy;
}

const send = async ({ method, path, as }: ContractExample, body: unknown) => {
  const response = await t.rest<{ error?: string; details?: { field: string; error: string }[] }>(
    method,
    path,
    {
      as: as === 'guest' ? await t.guest() : admin,
      headers: { accept: 'application/json' },
      body,
    },
  );
  return { status: response.status, details: response.body.details ?? [] };
};

const bodies = contractExamples.flatMap((example) => {
  const schema = operations.get(example.name)?.requestBody?.content?.['application/json']?.schema as Json;
  return example.body && schema ? [{ ...example, schema, body: minimal(schema, example.body) as Body }] : [];
});

/** Codes of input validation, as opposed to business rules. */
const inputCodes = new Set(['REQUIRED', 'PASSWORD_REQUIRED', 'INVALID_TYPE', 'INVALID_VALUE']);

/** Requirements of demo data: the newsletter has plans, and the journal has required blocks. */
const isDemoRequirement = (name: string, field: string) =>
  (name === 'Subscribe' && field === 'planId') || (name === 'CreateEntry' && field.startsWith('blocks.'));

describe.each(bodies)('$name', (example) => {
  it('accepts the minimal body', async () => {
    const { status, details } = await send(example, example.body);
    expect(status).toBeLessThan(500);
    expect(
      details.filter(({ field, error }) => inputCodes.has(error) && !isDemoRequirement(example.name, field)),
    ).toEqual([]);
  });

  const paths = requiredPaths(example.schema, example.body).map((path) => path.join('.'));
  it.each(paths)('rejects a body without %s', async (path) => {
    // The parameter may also be in the query string.
    const request = { ...example, path: example.path.replace(new RegExp(`([?&])${path}=[^&]*`), '$1') };
    const { status, details } = await send(request, without(example.body, path.split('.')));
    // Without an id in the body the record is not found.
    expect([400, 404, 422]).toContain(status);
    if (status !== 404) expect(details.map(({ field }) => field).join(' ')).toContain(path);
  });
});

it('rejects requests without a required query parameter', async () => {
  const calls = contractExamples.flatMap((example) => {
    const parameters = (operations.get(example.name)?.parameters ?? []) as unknown as Json[];
    return parameters
      .filter((parameter) => (parameter.in as unknown) === 'query' && parameter.required)
      .map(({ name }) => ({ example, name: String(name) }));
  });
  for (const { example, name } of calls) {
    const path = example.path.replace(new RegExp(`([?&])${name}=[^&]*`), '$1');
    const { status, details } = await send({ ...example, path }, undefined);
    expect([400, 422], `${example.name} without ${name}`).toContain(status);
    expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ field: name })]));
  }
});

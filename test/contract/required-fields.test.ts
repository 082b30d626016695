/** Required is required: the smallest request that the contract allows works, and nothing it calls required may be left out. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demo } from '../../src/seed/shop-data.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { type PrintedExample, printedExamples } from '../support/demo-examples.ts';
import { contract } from '../support/openapi.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };
type Body = Record<string, unknown>;

let t: TestApp;
let admin: Person;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  const { token } = await t.app.services.tokens.issueAccess({ sub: demo.adminId, provider: 'EMAIL' });
  admin = { userId: demo.adminId, token };
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

/** A value with nothing in it that its schema does not require. */
function smallest(schema: Json, value: unknown): unknown {
  const { type, items, properties } = resolved(schema);
  if ((type as unknown) === 'array' && items && Array.isArray(value))
    return value.slice(0, 1).map((item) => smallest(items, item));
  if (!properties || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    requiredOf(schema, value as Body).map((name) => [
      name,
      smallest(properties[name] as Json, (value as Body)[name]),
    ]),
  );
}

/** What a schema requires of a value, conditions on its other fields included. */
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

/** Paths of everything required in a value, from the outside in. */
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

const send = async ({ method, path, as }: PrintedExample, body: unknown) => {
  const answer = await t.rest<{ error?: string; details?: { field: string; error: string }[] }>(
    method,
    path,
    {
      as: as === 'guest' ? await t.guest() : admin,
      headers: { accept: 'application/json' },
      body,
    },
  );
  return { status: answer.status, details: answer.body.details ?? [] };
};

const bodies = printedExamples.flatMap((example) => {
  const schema = operations.get(example.name)?.requestBody?.content?.['application/json']?.schema as Json;
  return example.body && schema ? [{ ...example, schema, body: smallest(schema, example.body) as Body }] : [];
});

/** Codes of the form of a request, as against the rules of the business. */
const formal = new Set(['REQUIRED', 'PASSWORD_REQUIRED', 'INVALID_TYPE', 'INVALID_VALUE']);

/** The weekly letter has plans, and the journal has blocks that must be filled: these are wishes of the shop. */
const isWish = (name: string, field: string) =>
  (name === 'Subscribe' && field === 'planId') || (name === 'CreateEntry' && field.startsWith('blocks.'));

describe.each(bodies)('$name', (example) => {
  it('takes the smallest body that the contract allows', async () => {
    const { status, details } = await send(example, example.body);
    expect(status).toBeLessThan(500);
    expect(details.filter(({ field, error }) => formal.has(error) && !isWish(example.name, field))).toEqual(
      [],
    );
  });

  const paths = requiredPaths(example.schema, example.body).map((path) => path.join('.'));
  it.each(paths)('refuses to go without %s', async (path) => {
    // What the query carries as well is not missing.
    const asked = { ...example, path: example.path.replace(new RegExp(`([?&])${path}=[^&]*`), '$1') };
    const { status, details } = await send(asked, without(example.body, path.split('.')));
    // Without the id that says whose record it is, there is none.
    expect([400, 404, 422]).toContain(status);
    if (status !== 404) expect(details.map(({ field }) => field).join(' ')).toContain(path);
  });
});

it('needs every parameter of the query that it calls required', async () => {
  const calls = printedExamples.flatMap((example) => {
    const parameters = (operations.get(example.name)?.parameters ?? []) as unknown as Json[];
    return parameters
      .filter((one) => (one.in as unknown) === 'query' && one.required)
      .map(({ name }) => ({ example, name: String(name) }));
  });
  for (const { example, name } of calls) {
    const path = example.path.replace(new RegExp(`([?&])${name}=[^&]*`), '$1');
    const { status, details } = await send({ ...example, path }, undefined);
    expect([400, 422], `${example.name} without ${name}`).toContain(status);
    expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ field: name })]));
  }
});

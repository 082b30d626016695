/** The printed contract: complete, valid, honest about aliases, and served. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema, lexicographicSortSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printOpenApi } from '../../scripts/openapi/print.ts';
import { httpStatus } from '../../src/errors.ts';
import { rows } from '../../src/generated/domains/rows.ts';
import type { TypedDocumentString } from '../../src/generated/operations.ts';
import { schema } from '../../src/graphql/schema.ts';
import { act, get, list, type Row } from '../../src/rest/row.ts';
import { testApp } from '../support/app.ts';
import { contract } from '../support/openapi.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

const toy = buildSchema(`
  type Query {
    "One thing."
    thing("Its id." id: ID!): Thing
    things("Page size." first: Int, after: String, color: Color): ThingConnection!
    offer: Offer!
  }
  type Mutation {
    "Makes a thing."
    makeThing("The box." box: ID!, note: String, input: MakeThingInput!): MakeThingPayload!
    buy(input: BuyInput!): BuyResult!
  }
  "A thing."
  type Thing { "Id." id: ID! "Title." title: String parts: [Part!]! color: Color! weight: Float extra: JSON madeAt: Timestamp! cost: Money }
  type Part { name: String! parent: Thing }
  type ThingConnection { "Items." nodes: [Thing!]! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type MakeThingPayload { thing: Thing! }
  type BuyResult { receipt: Receipt url: String }
  type Receipt { number: Int! }
  type Free { reason: String! }
  type Paid { price: Money! }
  union Offer = Free | Paid
  enum Color { RED BLUE }
  input MakeThingInput { title: String! planId: ID! owner: String lines: [LineInput!] color: Color = RED }
  input LineInput { sku: String!, count: Int }
  input BuyInput { plan: ID! }
  scalar Timestamp
  scalar Money
  scalar JSON
`);

const toyDocument = <Data, Vars>(source: string) =>
  ({ toString: () => source }) as unknown as TypedDocumentString<Data, Vars>;

/** The operation, with the components that its answer and its body name put in their place. */
function operation(rows: Row[], path: string, method: string): Json {
  const { paths, components } = printOpenApi(toy, rows);
  const own = /(?:List|Body|Alternative)$/;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined && own.test($ref)) return inline(components.schemas[$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]));
  };
  return inline(paths[path]?.[method]) as Json;
}

describe('derivation from a row', () => {
  it('reads parameters off the variables they become', () => {
    const get = operation(
      [
        list(
          '/v1/things',
          toyDocument<
            { things: { nodes: string[]; pageInfo: { hasNextPage: boolean } } },
            { first?: number; after?: string; color?: string }
          >(
            'query ListThings($first: Int, $after: String, $color: Color) { things(first: $first, after: $after, color: $color) { nodes { id } pageInfo { hasNextPage endCursor } } }',
          ),
          { query: ['colour'], rename: { colour: 'color' }, answer: 'things' },
        ),
      ],
      '/v1/things',
      'get',
    );
    expect(get.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        description: 'Page size.',
        'x-graphql-field': 'Query.things.first',
        schema: { type: 'integer' },
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'The `cursor` of the page before; absent or empty for the first page.',
        'x-graphql-field': 'Query.things.after',
        schema: { type: 'string' },
      },
      {
        name: 'colour',
        in: 'query',
        'x-graphql-field': 'Query.things.color',
        schema: { $ref: '#/components/schemas/Color' },
      },
      { name: 'fields', in: 'query', description: expect.any(String), schema: { type: 'string' } },
    ]);
    expect((get.responses as Json)[200]?.content).toMatchObject({
      'application/json': {
        schema: {
          required: ['items', 'cursor'],
          properties: {
            items: {
              type: 'array',
              items: { $ref: '#/components/schemas/Thing' },
              'x-graphql-field': 'ThingConnection.nodes',
            },
            cursor: { type: ['string', 'null'], 'x-graphql-field': 'PageInfo.endCursor' },
          },
        },
      },
    });
  });

  it('names aliases, fields of their own and what nobody reads of a body', () => {
    const post = operation(
      [
        act(
          'POST',
          '/v1/boxes/:box/things',
          toyDocument<
            { makeThing: { thing: { id: string } } },
            { box: string; note?: string; input: { planId: string; lines: unknown } }
          >(
            'mutation MakeThing($box: ID!, $note: String, $input: MakeThingInput!) { makeThing(box: $box, note: $note, input: $input) { thing { id title color } } }',
          ),
          {
            alias: { plan_id: 'planId', items: 'lines' },
            fields: ['note'],
            drop: ['colour'],
            answer: 'makeThing.thing',
          },
        ),
      ],
      '/v1/boxes/{box}/things',
      'post',
    );
    const { schema } = ((post.requestBody as Json).content as Json)['application/json'] as Json;
    const properties = schema?.properties as Json;
    expect(
      Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, it['x-graphql-field']])),
    ).toEqual({
      title: 'MakeThingInput.title',
      planId: 'MakeThingInput.planId',
      plan_id: 'MakeThingInput.planId',
      owner: 'MakeThingInput.owner',
      lines: 'MakeThingInput.lines',
      items: 'MakeThingInput.lines',
      color: 'MakeThingInput.color',
      note: 'Mutation.makeThing.note',
      colour: undefined,
    });
    expect(schema?.required).toEqual(['title', 'planId']);
    expect(properties.plan_id?.description).toBe('What older clients send instead of `planId`.');
    expect((post.parameters as unknown as Json[]).map(({ name }) => name)).toEqual([
      'box',
      'Idempotency-Key',
    ]);
  });

  it('makes what may be null optional, and alternatives of alternatives', () => {
    const read = get(
      '/v1/things/:id',
      toyDocument<{ thing: { id: string } | null }, { id: string }>(
        'query GetThing($id: ID!) { thing(id: $id) { id title weight extra madeAt cost parts { name } } }',
      ),
      { answer: 'thing' },
    );
    const document = printOpenApi(toy, [read]);
    expect(document.components.schemas.Thing).toMatchObject({
      required: ['id', 'madeAt', 'parts'],
      properties: {
        title: { type: 'string', description: 'Title.', 'x-graphql-field': 'Thing.title' },
        weight: { type: 'number' },
        madeAt: { type: 'integer', format: 'int64' },
        cost: { type: 'integer', format: 'int64' },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      },
    });
    const schemaOf = (one: Row, path: string, method: string) => {
      const done = (operation([one], path, method).responses as Json)[200];
      return done?.content?.['application/json']?.schema;
    };
    expect(
      schemaOf(
        act(
          'POST',
          '/v1/buy',
          toyDocument<
            { buy: { url: string | null; receipt: { number: number } | null } },
            { input: { plan: string } }
          >('mutation Buy($input: BuyInput!) { buy(input: $input) { url receipt { number } } }'),
          { answer: { at: 'buy.receipt', otherwise: { checkoutUrl: 'buy.url' } } },
        ),
        '/v1/buy',
        'post',
      ),
    ).toEqual({
      anyOf: [
        { $ref: '#/components/schemas/Receipt' },
        {
          type: 'object',
          properties: {
            checkoutUrl: { type: 'string', 'x-graphql-field': 'BuyResult.url' },
          },
        },
      ],
    });
    expect(
      schemaOf(
        get(
          '/v1/offer',
          toyDocument<{ offer: { reason: string } | { price: number } }, { none?: never }>(
            'query GetOffer { offer { ... on Free { reason } ... on Paid { price } } }',
          ),
          { answer: 'offer' },
        ),
        '/v1/offer',
        'get',
      ),
    ).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Free' }, { $ref: '#/components/schemas/Paid' }],
    });
  });
});

describe('the whole contract', () => {
  const operations = Object.values(contract.paths)
    .flatMap((item) => Object.values(item) as Json[])
    .filter((one) => one['x-graphql-operation']);

  it('names every row once, with its operation', () => {
    expect(operations.length).toBe(rows.length);
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(rows.length);
    for (const one of operations) {
      expect(one['x-graphql-operation']).toMatch(/^[A-Z]\w+$/);
      expect(one['x-graphql-field']).toMatch(/^(Query|Mutation)\.\w+$/);
      expect(one.description).not.toBe('');
    }
  });

  it('gives every property a GraphQL field, unless a row made it up or it belongs to failures', () => {
    const nameless = Object.entries(contract.components.schemas as Json).flatMap(([name, schema]) =>
      /Error$|^(?:ErrorDetail|Problem|Success|WebhookMessage)$/.test(name)
        ? []
        : Object.entries((schema.properties ?? {}) as Json)
            .filter(
              ([, property]) =>
                !property['x-graphql-field'] && !/older clients/.test(String(property.description)),
            )
            .map(([property]) => `${name}.${property}`),
    );
    expect(nameless).toEqual([]);
  });

  it('places every path, query and body part it reads', () => {
    const lost = operations.flatMap((one) => {
      const parameters = (one.parameters as unknown as Json[]).filter(
        (parameter) =>
          (parameter.in as unknown) !== 'header' &&
          (parameter.name as unknown) !== 'fields' &&
          !parameter['x-graphql-field'],
      );
      return parameters.map(({ name }) => `${one.operationId} ${name}`);
    });
    expect(lost).toEqual([]);
  });

  it('knows every code of a detail, whatever failed', () => {
    const codesOf = (schema: Json) => {
      const named = (one: Json): Json => {
        const name = typeof one.$ref === 'string' ? String(one.$ref).split('/').at(-1) : undefined;
        return name === undefined ? one : named((contract.components.schemas as Json)[name] as Json);
      };
      return named(named(named(schema).items as Json).properties?.error as Json).enum;
    };
    const failures = Object.entries(contract.components.schemas as Json).flatMap(([name, schema]) =>
      ['details', 'validationErrors'].flatMap((list) =>
        schema.properties?.requestId && schema.properties[list]
          ? [[`${name}.${list}`, codesOf(schema.properties[list] as Json)] as const]
          : [],
      ),
    );
    expect(failures.length).toBeGreaterThan(100);
    expect(failures.filter(([, codes]) => !Array.isArray(codes))).toEqual([]);
  });

  it('says what every group is about', () => {
    const tags = contract.tags as { description: string }[];
    expect(tags.filter(({ description }) => description.startsWith('Everything under'))).toEqual([]);
  });

  it('lists only statuses of the one table', () => {
    const known = new Set([200, 304, ...Object.values(httpStatus)].map(String));
    expect(
      operations.flatMap((one) => Object.keys(one.responses ?? {})).filter((it) => !known.has(it)),
    ).toEqual([]);
  });

  it('has examples that obey their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'contract:', components: contract.components });
    const media = operations.flatMap((one) => [
      ...(one.requestBody ? [[one.operationId, one.requestBody.content] as const] : []),
      [one.operationId, (one.responses as Json)[200]?.content] as const,
    ]);
    for (const [name, content] of media) {
      const { schema, example } = content?.['application/json'] ?? {};
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract:#/components')),
      );
      expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  it('is what the printer makes of the schema, and what /v1/openapi.json holds', async () => {
    expect(JSON.parse(JSON.stringify(printOpenApi(lexicographicSortSchema(schema), rows)))).toEqual(contract);
    const t = await testApp();
    const answer = await t.rest('GET', '/v1/openapi.json');
    expect(answer.body).toEqual(contract);
    const again = await t.rest('GET', '/v1/openapi.json', {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('passes the linter without a warning', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      'node_modules/.bin/redocly',
      ['lint', '--format', 'summary', 'schema/openapi.json'],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect(stdout + stderr).not.toMatch(/You have \d+ warning/);
  }, 60_000);
});

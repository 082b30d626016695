/** The OpenAPI generator: derives an operation from a route, including aliases. */
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printOpenApi } from '../../scripts/openapi/print.ts';
import type { TypedDocumentString } from '../../src/generated/operations.ts';
import { defineCustomRoute, defineGetRoute, defineListRoute, type RestRoute } from '../../src/rest/route.ts';

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

/** The operation with the components of its response and body inlined. */
function operation(routes: RestRoute[], path: string, method: string): Json {
  const { paths, components } = printOpenApi(toy, routes, false);
  const inlined = /(?:List|Body|Alternative)$/;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined && inlined.test($ref))
      return inline(components.schemas[$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]));
  };
  return inline(paths[path]?.[method]) as Json;
}

const commonHeaders = ['X-Duet-Version', 'X-Client-Name', 'X-Request-Id'];

describe('an operation', () => {
  it('derives parameters from the variables', () => {
    const get = operation(
      [
        defineListRoute(
          '/v1/things',
          toyDocument<
            { things: { nodes: string[]; pageInfo: { hasNextPage: boolean } } },
            { first?: number; after?: string; color?: string }
          >(
            'query ListThings($first: Int, $after: String, $color: Color) { things(first: $first, after: $after, color: $color) { nodes { id } pageInfo { hasNextPage endCursor } } }',
          ),
          { query: ['colour'], queryAliases: { colour: 'color' } },
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
        description: '`cursor` of the previous page; absent or empty for the first page.',
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
      ...['X-Consistency-Token', ...commonHeaders].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
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

  it('lists aliases, body fields and ignored fields of the body', () => {
    const post = operation(
      [
        defineCustomRoute(
          'POST',
          '/v1/boxes/:box/things',
          toyDocument<
            { makeThing: { thing: { id: string } } },
            { box: string; note?: string; input: { planId: string; lines: unknown } }
          >(
            'mutation MakeThing($box: ID!, $note: String, $input: MakeThingInput!) { makeThing(box: $box, note: $note, input: $input) { thing { id title color } } }',
          ),
          {
            inputAliases: { plan_id: 'planId', items: 'lines' },
            bodyFields: ['note'],
            ignoredFields: ['colour'],
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
    // `plan_id` can replace `planId`.
    expect(schema?.required).toEqual(['title']);
    expect(properties.plan_id?.description).toBe('Another name of `planId`: send one of them.');
    const nameOf = ({ name, $ref }: Json) => name ?? String($ref).split('/').at(-1);
    expect((post.parameters as unknown as Json[]).map(nameOf)).toEqual([
      'box',
      'Idempotency-Key',
      ...commonHeaders,
    ]);
  });

  it('makes nullable fields optional, and unions alternatives', () => {
    const read = defineGetRoute(
      '/v1/things/:id',
      toyDocument<{ thing: { id: string } | null }, { id: string }>(
        'query GetThing($id: ID!) { thing(id: $id) { id title weight extra madeAt cost parts { name } } }',
      ),
    );
    const document = printOpenApi(toy, [read], false);
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
    const schemaOf = (route: RestRoute, path: string, method: string) => {
      const done = (operation([route], path, method).responses as Json)[200];
      return done?.content?.['application/json']?.schema;
    };
    expect(
      schemaOf(
        defineCustomRoute(
          'POST',
          '/v1/buy',
          toyDocument<
            { buy: { url: string | null; receipt: { number: number } | null } },
            { input: { plan: string } }
          >('mutation Buy($input: BuyInput!) { buy(input: $input) { url receipt { number } } }'),
          { response: { at: 'buy.receipt', fallback: { checkoutUrl: 'buy.url' } } },
        ),
        '/v1/buy',
        'post',
      ),
    ).toEqual({
      anyOf: [
        { $ref: '#/components/schemas/Receipt' },
        {
          type: 'object',
          description: 'Returned instead of the record when a payment is required first.',
          properties: {
            checkoutUrl: { type: 'string', 'x-graphql-field': 'BuyResult.url' },
          },
        },
      ],
    });
    expect(
      schemaOf(
        defineGetRoute(
          '/v1/offer',
          toyDocument<{ offer: { reason: string } | { price: number } }, { none?: never }>(
            'query GetOffer { offer { ... on Free { reason } ... on Paid { price } } }',
          ),
        ),
        '/v1/offer',
        'get',
      ),
    ).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Free' }, { $ref: '#/components/schemas/Paid' }],
    });
  });
});

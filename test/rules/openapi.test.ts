/** Parts of the OpenAPI generator, tested with a sample schema: JSON schemas, conditions, selections, scopes, code samples. */
import { Ajv } from 'ajv';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { codeSamples } from '../../scripts/openapi/code-samples.ts';
import { conditionalRequirements, hasAlternative } from '../../scripts/openapi/conditional-fields.ts';
import { objectSchema, schemaRef } from '../../scripts/openapi/json-schema.ts';
import { scopeOf } from '../../scripts/openapi/scopes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import {
  findSelectionAtPath,
  type ParsedRoute,
  parseRoute,
  schemaCoordinateOf,
} from '../../src/rest/route-with-parsed-operation.ts';

describe('an object schema', () => {
  it('contains only the necessary keywords', () => {
    expect(objectSchema({ id: { type: 'string' } }, [])).toEqual({
      type: 'object',
      properties: { id: { type: 'string' } },
    });
    expect(objectSchema({}, ['id'], 'A thing.')).toEqual({
      type: 'object',
      description: 'A thing.',
      required: ['id'],
      properties: {},
    });
    expect(schemaRef('Tea')).toBe('#/components/schemas/Tea');
  });
});

describe('conditionally required fields', () => {
  const ajv = new Ajv({ strict: false });
  const fits = (type: string, body: object) =>
    ajv.compile(conditionalRequirements(type, Object.keys(body)))(body);

  it.each([
    ['LoginInput', {}, false],
    ['LoginInput', { provider: 'GUEST' }, true],
    ['LoginInput', { email: 'a' }, true],
    ['LoginInput', { provider: 'EMAIL', email: 'a' }, false],
    ['LoginInput', { provider: 'EMAIL', password: 'a' }, false],
    ['LoginInput', { provider: 'EMAIL', email: 'a', password: 'b' }, true],
    ['LoginInput', { provider: 'OAUTH_IDP', code: 'a' }, false],
    ['LoginInput', { provider: 'OAUTH_IDP', originUrl: 'a' }, false],
    ['LoginInput', { provider: 'OAUTH_IDP', code: 'a', originUrl: 'b' }, true],
    ['CreatePromoCodeInput', {}, false],
    ['CreatePromoCodeInput', { discount: {} }, true],
    ['CreatePromoCodeInput', { type: 'FREE_SHIPPING' }, true],
    ['CreatePromoCodeInput', { type: 'PERCENTAGE' }, false],
    ['CreatePromoCodeInput', { type: 'PERCENTAGE', bps: 1 }, true],
    ['CreatePromoCodeInput', { type: 'FIXED', amount: 1 }, false],
    ['CreatePromoCodeInput', { type: 'FIXED', currency: 'USD' }, false],
    ['CreatePromoCodeInput', { type: 'FIXED', amount: 1, currency: 'USD' }, true],
    ['CreateEntryInput', {}, false],
    ['CreateEntryInput', { owner: 'a' }, true],
    ['CreateEntryInput', { ownedBy: 'a' }, true],
    ['CreateEntryInput', { collectionId: 'a' }, true],
    ['CreateWebhookEndpointInput', {}, false],
    ['CreateWebhookEndpointInput', { topics: [] }, true],
    ['CreateWebhookEndpointInput', { events: [] }, true],
    ['CreateMarketInput', {}, true],
  ] as [string, object, boolean][])('%s %j: %j', (type, body, fit) => {
    expect(fits(type, body)).toBe(fit);
  });

  it('declare all properties in each condition, without anyOf for a single field', () => {
    expect(conditionalRequirements('CreateWebhookEndpointInput', ['topics', 'events'])).toEqual({
      allOf: [
        {
          if: { not: { required: ['topics'], properties: { topics: {}, events: {} } } },
          // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword; the object is never awaited.
          then: { required: ['events'], properties: { topics: {}, events: {} } },
        },
      ],
    });
    expect(conditionalRequirements('CreatePromoCodeInput', ['type', 'bps'])).toMatchObject({
      allOf: [{}, { if: { required: ['type'], properties: { type: { const: 'PERCENTAGE' }, bps: {} } } }, {}],
    });
    expect(conditionalRequirements('CreateEntryInput', [])).toMatchObject({
      allOf: [{ if: { not: { anyOf: [{ required: ['owner'] }, { required: ['ownedBy'] }] } } }],
    });
    expect(conditionalRequirements('CreateMarketInput', ['code'])).toEqual({});
  });

  it('can be replaced by an alternative only if they may be absent', () => {
    const requiredFields = [
      ['LoginInput', 'provider'],
      ['LoginInput', 'password'],
      ['CreateEntryInput', 'collectionId'],
      ['CreateMarketInput', 'code'],
    ] as const;
    expect(requiredFields.map(([type, field]) => hasAlternative(type, field))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

const schema = buildSchema(`
  interface Node { id: ID! }
  union Thing = Tea | Pot
  type Tea implements Node { id: ID! name: String maker: Maker }
  type Pot { size: Int maker: Maker }
  type Maker { id: ID! name: String teas: [Tea!]! }
  type Query { tea: Tea thing: Thing things: [Thing!]! }
`);

const routeOf = (source: string, name = 'GetTea') =>
  ({ method: 'GET', path: '/v1/teas', operation: { name, source } }) as RestRoute;
const read = (source: string): ParsedRoute => parseRoute(schema, routeOf(source));
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

describe('a selection', () => {
  const keysAt = (source: string, type = 'Tea') => {
    const row = read(source);
    return row.selection
      .fieldsOf(typeOf(type), findSelectionAtPath(row, 'tea').selections)
      .map(({ key }) => key);
  };

  it('contains the fields of applicable fragments, by alias, each once', () => {
    const source = `query GetTea { tea { id called: name ...Made ... on Node { id } ... on Pot { size } ... { name } } }
      fragment Made on Tea { maker { id } }`;
    expect(keysAt(source)).toEqual(['id', 'called', 'maker', 'name']);
    expect(keysAt(source, 'Pot')).toEqual(['size']);
  });

  it('merges several selections of one field', () => {
    const row = read('query GetTea { tea { maker { id } maker { name } } }');
    const maker = findSelectionAtPath(row, 'tea.maker');
    expect(schemaCoordinateOf(maker)).toBe('Tea.maker');
    expect(row.selection.fieldsOf(typeOf('Maker'), maker.selections).map(({ key }) => key)).toEqual([
      'id',
      'name',
    ]);
    expect(schemaCoordinateOf(findSelectionAtPath(row, 'tea.maker.name'))).toBe('Maker.name');
  });

  it('has the same signature for the same fields in any order', () => {
    const signature = (fields: string) => {
      const row = read(`query GetTea { tea { ${fields} } }`);
      return row.selection.signatureOf(typeOf('Tea'), findSelectionAtPath(row, 'tea').selections);
    };
    expect(signature('name maker { name id } id')).toBe('id,maker{id,name},name');
    expect(signature('id name maker { id name }')).toBe('id,maker{id,name},name');
  });

  it('lists all types below it, including members of unions', () => {
    const row = read('query GetTea { thing { ... on Tea { id maker { id } } ... on Pot { size } } }');
    const below = row.selection.typesBelow(row.root, [row.operation.selectionSet]);
    expect(below.map(({ type, signature }) => `${type.name}: ${signature}`)).toEqual([
      'Tea: id,maker{id}',
      'Maker: id',
      'Pot: size',
    ]);
  });

  it('throws when a route refers to a field that is not selected', () => {
    const row = read('query GetTea { tea { id } }');
    expect(() => findSelectionAtPath(row, 'tea.name')).toThrow(
      'GET /v1/teas: GetTea does not select tea.name.',
    );
    expect(() => parseRoute(schema, routeOf('query Other { tea { id } }'))).toThrow(
      'GET /v1/teas has no operation.',
    );
    expect(() => parseRoute(schema, routeOf('mutation GetTea { tea }'))).toThrow(
      'GET /v1/teas has no operation.',
    );
  });
});

describe('the auth scope of a route', () => {
  const scopeWith = (authScopes: unknown) => {
    const row = read('query GetTea { tea { id } }');
    const field = row.root.getFields().tea;
    if (field) field.extensions = { pothosOptions: { authScopes } };
    const { rootField, scope } = scopeOf(row);
    expect(rootField.key).toBe('tea');
    return scope;
  };
  const isPublic = { isPublic: true, text: 'No authentication required.' };
  const anyToken = { isPublic: false, text: 'Requires any token, including that of a guest.' };
  const noGuests = { isPublic: false, text: 'Requires an account; guests are rejected.' };
  const unknown = { isPublic: false, text: '' };
  const accountText = 'Requires any token, including that of a guest;';

  it.each([
    ['nothing', undefined, isPublic],
    ['null', null, isPublic],
    ['a business', { business: 'id' }, isPublic],
    ['a token', { signedIn: true }, anyToken],
    ['an account', { confirmed: true }, noGuests],
    ['an account in a business', { confirmedIn: '' }, noGuests],
    ['an asynchronous scope', () => Promise.resolve({}), unknown],
    ['a scope that throws', () => JSON.parse('{'), unknown],
    ['a boolean', () => true, unknown],
    ['a null', () => null, unknown],
    ['arguments', (_parent: unknown, args: { a: string }) => ({ confirmedIn: args.a }), noGuests],
    ['the caller', (_p: unknown, _a: unknown, ctx: { a: string }) => ({ business: ctx.a }), isPublic],
    [
      'a permission',
      { permission: { name: 'ADMIN', in: '' } },
      { isPublic: false, permission: 'ADMIN', text: 'Requires the permission `ADMIN`.' },
    ],
    [
      'one of two',
      { permission: { name: ['ORDERS_READ', 'ORDERS_WRITE'], in: '' } },
      {
        isPublic: false,
        permission: 'ORDERS_READ',
        text: 'Requires the permission `ORDERS_READ` or `ORDERS_WRITE`.',
      },
    ],
    [
      'an own account',
      { account: true },
      { isPublic: false, text: `${accountText} API keys with \`permissions\` are rejected.` },
    ],
    [
      'an own account or a permission',
      { account: true, permission: { name: 'ADMIN', in: '' } },
      { isPublic: false, text: `${accountText} an API key with \`permissions\` needs \`ADMIN\`.` },
    ],
  ])('%s', (_name, scopes, scope) => {
    expect(scopeWith(scopes)).toEqual(scope);
  });

  it('is public without Pothos options', () => {
    const row = read('query GetTea { thing { __typename } }');
    expect(scopeOf(row).scope).toEqual(isPublic);
  });

  it('throws for a route that selects nothing', () => {
    const row = read('query GetTea { __typename }');
    expect(() => scopeOf(row)).toThrow('GET /v1/teas selects nothing.');
  });
});

describe('code samples', () => {
  const sourcesOf = (shown: Partial<Parameters<typeof codeSamples>[0]>) =>
    codeSamples({
      ...{ method: 'GET', path: '/v1/teas', operationId: 'listTeas', isPublic: false },
      ...{ parameters: [], body: undefined },
      ...shown,
    });
  const head = `import { createClient } from '@duet-gateway/client-rest';\n\nconst client = createClient({ url: process.env.DUET_URL ?? '' });\n`;
  const signIn = `client.signIn({ accessToken: process.env.TOKEN ?? '' });\n`;

  it('of a public query', () => {
    expect(sourcesOf({ isPublic: true })).toEqual([
      { lang: 'Shell', label: 'curl', source: `curl "$DUET_URL"'/v1/teas'` },
      {
        lang: 'TypeScript',
        label: 'TypeScript',
        source: `${head}const response = await client.api.listTeas();\n`,
      },
    ]);
  });

  it('of a request with path, query, headers and body', () => {
    const [curl, typed] = sourcesOf({
      method: 'PUT',
      path: '/v1/teas/:id',
      operationId: 'updateTea',
      parameters: [
        { name: 'id', in: 'path', example: 'a/b' },
        { name: 'first', in: 'query', example: 2 },
        { name: 'last', in: 'query' },
        { name: 'If-Match', in: 'header', example: 'x' },
      ],
      body: { name: "Earl's" },
    });
    expect(curl?.source).toBe(
      [
        `curl -X PUT "$DUET_URL"'/v1/teas/a%2Fb?first=2'`,
        '-H "Authorization: Bearer $TOKEN"',
        `-H 'Content-Type: application/json'`,
        `-d '{"name":"Earl'\\''s"}'`,
      ].join(' \\\n  '),
    );
    const request = `{ path: { id: 'a/b' }, query: { first: 2 }, body: { name: "Earl's" } }`;
    expect(typed?.source).toBe(`${head}${signIn}const response = await client.api.updateTea(${request});\n`);
  });

  it('are complete for long and deep bodies', () => {
    const body = { list: Array.from({ length: 101 }, (_, at) => at), deep: { a: { b: { c: { d: 1 } } } } };
    const long = { ...body, text: 'x'.repeat(10_001) };
    const source = sourcesOf({ method: 'POST', body: long })[1]?.source ?? '';
    expect(source).not.toMatch(/more|\[Object\]/);
    expect(source).toContain(`client.api.listTeas({\n  body: {`);
  });
});

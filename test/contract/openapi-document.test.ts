/** The OpenAPI document: complete, valid, up to date and served. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { printOpenApi } from '../../scripts/openapi/print.ts';
import { httpStatusByErrorCode } from '../../src/errors.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { sortSchemaForReading } from '../../src/graphql/schema/required-arguments-first.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { testApp } from '../support/app.ts';
import { contract } from '../support/contract-check.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

describe('the OpenAPI document', () => {
  const operations = Object.values(contract.paths)
    .flatMap((item) => Object.values(item) as Json[])
    .filter((operation) => operation['x-graphql-operation']);

  it('contains every route once, with its GraphQL operation', () => {
    expect(operations.length).toBe(routes.length);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(routes.length);
    for (const operation of operations) {
      expect(operation['x-graphql-operation']).toMatch(/^[A-Z]\w+$/);
      expect(operation['x-graphql-field']).toMatch(/^(Query|Mutation)\.\w+$/);
      expect(operation.description).not.toBe('');
    }
  });

  it('references a GraphQL field for every property, except aliases, errors and events', () => {
    const { discriminator } = (contract.components.schemas as Json).WebhookMessage as Json;
    const messages = new Set(
      Object.values(discriminator?.mapping ?? {}).map((ref) => String(ref).split('/').at(-1)),
    );
    const withoutField = Object.entries(contract.components.schemas as Json).flatMap(([name, schema]) =>
      /Error$|EventData$|^(?:ProblemMembers|Success)$/.test(name) || messages.has(name)
        ? []
        : Object.entries((schema.properties ?? {}) as Json)
            .filter(
              ([, property]) =>
                !property['x-graphql-field'] && !/older clients/.test(String(property.description)),
            )
            .map(([property]) => `${name}.${property}`),
    );
    expect(withoutField).toEqual([]);
  });

  it('references a GraphQL field for every parameter', () => {
    const withoutField = operations.flatMap((operation) => {
      const parameters = (operation.parameters as unknown as Json[]).filter(
        (parameter) =>
          !parameter.$ref && (parameter.name as unknown) !== 'fields' && !parameter['x-graphql-field'],
      );
      return parameters.map(({ name }) => `${operation.operationId} ${name}`);
    });
    expect(withoutField).toEqual([]);
  });

  it('lists the error of a wrong cursor for every list, nested ones included', () => {
    const lists = operations.filter((operation) =>
      (operation.parameters as unknown as Json[]).some(({ name }) => String(name) === 'cursor'),
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const { operationId } of lists) {
      const codes = (contract.components.schemas as Json)[`${operationId}DetailCode`]?.enum as unknown;
      // Operations without codes of their own refer to those of all operations.
      if (Array.isArray(codes))
        expect([operationId, codes]).toEqual([operationId, expect.arrayContaining(['INVALID_CURSOR'])]);
    }
  });

  it('lists the detail codes of every error', () => {
    const codesOf = (schema: Json) => {
      const resolve = (element: Json): Json => {
        const name = typeof element.$ref === 'string' ? String(element.$ref).split('/').at(-1) : undefined;
        return name === undefined ? element : resolve((contract.components.schemas as Json)[name] as Json);
      };
      return resolve(resolve(resolve(schema).items as Json).properties?.error as Json).enum;
    };
    const failures = Object.entries(contract.components.schemas as Json).flatMap(([name, schema]) =>
      ['details', 'validationErrors'].flatMap((list) =>
        schema.properties?.requestId &&
        schema.properties.error &&
        schema.properties[list] &&
        // A property of a record, such as of a logged request, is no error.
        !schema.properties[list]['x-graphql-field'] &&
        schema.properties[list].maxItems === undefined
          ? [[`${name}.${list}`, codesOf(schema.properties[list] as Json)] as const]
          : [],
      ),
    );
    expect(failures.length).toBeGreaterThan(100);
    expect(failures.filter(([, codes]) => !Array.isArray(codes))).toEqual([]);
  });

  it('has a description and code samples for every operation', () => {
    const all = Object.values(contract.paths).flatMap((item) => Object.values(item) as Json[]);
    const scope =
      / (?:(?:Needs|Requires) (?:the permission )?`?[A-Z_]+`?(?:,? (?:or )?`?[A-Z_]+`?)*|No authentication required)\./g;
    const thin = all.filter((operation) => String(operation.description).replace(scope, '').length < 25);
    expect(thin.map((operation) => `${operation.operationId}: ${operation.description}`)).toEqual([]);
    expect(
      all.filter((operation) => !operation['x-codeSamples']).map((operation) => operation.operationId),
    ).toEqual([]);
  });

  it('names shared response schemas after their type, and describes every schema', () => {
    interface Operation {
      operationId: string;
      responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>;
    }
    const all = Object.values(contract.paths).flatMap(
      (item) => Object.values(item) as unknown as Operation[],
    );
    const responseOf = (id: string) =>
      all.find(({ operationId }) => operationId === id)?.responses[200]?.content['application/json']?.schema
        .$ref;
    expect(['GetOrder', 'GetMe', 'CancelSubscription', 'ListOrders', 'GetCart'].map(responseOf)).toEqual(
      ['Order', 'User', 'Subscription', 'OrderList', 'Cart'].map((name) => `#/components/schemas/${name}`),
    );
    const schemas = Object.entries(contract.components.schemas as Record<string, { description?: string }>);
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  });

  it('describes every tag', () => {
    const tags = contract.tags as { name: string; description: string }[];
    expect(tags.filter(({ description }) => description.startsWith('Everything under'))).toEqual([]);
    const all = Object.values(contract.paths).flatMap((item) => Object.values(item) as { tags: string[] }[]);
    const names = tags.map(({ name }) => name);
    expect(
      [...new Set(all.flatMap((operation) => operation.tags))].filter((tag) => !names.includes(tag)),
    ).toEqual([]);
  });

  it('uses only statuses of the error table', () => {
    const statuses = new Set([200, 201, 304, ...Object.values(httpStatusByErrorCode)].map(String));
    expect(
      operations
        .flatMap((operation) => Object.keys(operation.responses ?? {}))
        .filter((status) => !statuses.has(status)),
    ).toEqual([]);
  });

  it('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'contract:', components: contract.components });
    const media = operations.flatMap((operation) => [
      ...(operation.requestBody ? [[operation.operationId, operation.requestBody.content] as const] : []),
      [operation.operationId, (operation.responses as Json)[200]?.content] as const,
    ]);
    const sent = Object.values(contract.webhooks as Json).map(({ post }) => post as Json);
    media.push(...sent.map((operation) => [operation.operationId, operation.requestBody?.content] as const));
    for (const [name, content] of media) {
      const { schema, example } = content?.['application/json'] ?? {};
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract:#/components')),
      );
      expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  it('is up to date and served at /v1/openapi.json', async () => {
    expect(JSON.parse(JSON.stringify(printOpenApi(sortSchemaForReading(schema), routes)))).toEqual(contract);
    const t = await testApp();
    const response = await t.rest('GET', '/v1/openapi.json');
    expect(response.body).toEqual(contract);
    const again = await t.rest('GET', '/v1/openapi.json', {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('passes the linter without warnings', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      'node_modules/.bin/redocly',
      ['lint', '--format', 'summary', 'schema/openapi.json'],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect(stdout + stderr).not.toMatch(/You have \d+ warning/);
  });
});

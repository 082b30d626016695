/** The printed contract as a whole: complete, valid, and served. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lexicographicSortSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printOpenApi } from '../../scripts/openapi/print.ts';
import { httpStatus } from '../../src/errors.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { testApp } from '../support/app.ts';
import { contract } from '../support/openapi.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

describe('the whole contract', () => {
  const operations = Object.values(contract.paths)
    .flatMap((item) => Object.values(item) as Json[])
    .filter((one) => one['x-graphql-operation']);

  it('names every row once, with its operation', () => {
    expect(operations.length).toBe(routes.length);
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(routes.length);
    for (const one of operations) {
      expect(one['x-graphql-operation']).toMatch(/^[A-Z]\w+$/);
      expect(one['x-graphql-field']).toMatch(/^(Query|Mutation)\.\w+$/);
      expect(one.description).not.toBe('');
    }
  });

  it('gives every property a GraphQL field, unless a row made it up or it belongs to failures or events', () => {
    const { discriminator } = (contract.components.schemas as Json).WebhookMessage as Json;
    const messages = new Set(
      Object.values(discriminator?.mapping ?? {}).map((ref) => String(ref).split('/').at(-1)),
    );
    const nameless = Object.entries(contract.components.schemas as Json).flatMap(([name, schema]) =>
      /Error$|EventData$|^(?:ErrorDetail|Problem|Success)$/.test(name) || messages.has(name)
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
          !parameter.$ref && (parameter.name as unknown) !== 'fields' && !parameter['x-graphql-field'],
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

  it('says of every operation more than its name, and shows how to call it', () => {
    const all = Object.values(contract.paths).flatMap((item) => Object.values(item) as Json[]);
    const scope = / (?:Needs [A-Z_]+(?:,? (?:or )?[A-Z_]+)*|Open to everybody)\./g;
    const thin = all.filter((one) => String(one.description).replace(scope, '').length < 25);
    expect(thin.map((one) => `${one.operationId}: ${one.description}`)).toEqual([]);
    expect(all.filter((one) => !one['x-codeSamples']).map((one) => one.operationId)).toEqual([]);
  });

  it('calls what several operations answer by its plain name, and says what every schema is', () => {
    interface Operation {
      operationId: string;
      responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>;
    }
    const all = Object.values(contract.paths).flatMap(
      (item) => Object.values(item) as unknown as Operation[],
    );
    const answers = (id: string) =>
      all.find(({ operationId }) => operationId === id)?.responses[200]?.content['application/json']?.schema
        .$ref;
    expect(['GetOrder', 'GetMe', 'CancelSubscription', 'ListOrders', 'GetCart'].map(answers)).toEqual(
      ['Order', 'User', 'Subscription', 'OrderList', 'Cart'].map((name) => `#/components/schemas/${name}`),
    );
    const schemas = Object.entries(contract.components.schemas as Record<string, { description?: string }>);
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  });

  it('says what every group is about', () => {
    const tags = contract.tags as { name: string; description: string }[];
    expect(tags.filter(({ description }) => description.startsWith('Everything under'))).toEqual([]);
    const all = Object.values(contract.paths).flatMap((item) => Object.values(item) as { tags: string[] }[]);
    const names = tags.map(({ name }) => name);
    expect([...new Set(all.flatMap((one) => one.tags))].filter((tag) => !names.includes(tag))).toEqual([]);
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
    const sent = Object.values(contract.webhooks as Json).map(({ post }) => post as Json);
    media.push(...sent.map((one) => [one.operationId, one.requestBody?.content] as const));
    for (const [name, content] of media) {
      const { schema, example } = content?.['application/json'] ?? {};
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract:#/components')),
      );
      expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  it('is what the printer makes of the schema, and what /v1/openapi.json holds', async () => {
    expect(JSON.parse(JSON.stringify(printOpenApi(lexicographicSortSchema(schema), routes)))).toEqual(
      contract,
    );
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
  });
});

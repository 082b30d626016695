/** The OpenAPI description of the REST voice, derived from the rows and the GraphQL schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { ErrorCode } from '../../src/errors.ts';
import { packageRoot } from '../../src/lib/package-root.ts';
import type { Row } from '../../src/rest/row.ts';
import { answerOf } from './answers.ts';
import { sample } from './examples.ts';
import { parametersOf } from './parameters.ts';
import { type Places, placesOf } from './places.ts';
import { requestBodyOf } from './request-body.ts';
import { errorResponses, errorSchemas, failures, headerRefs, responseHeaders } from './responses.ts';
import { Components, type JsonSchema } from './schemas.ts';
import { scopeOf } from './scopes.ts';
import { type ReadRow, readRow } from './selection.ts';

type Json = { [key: string]: unknown };

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; [kind: string]: unknown };
  [key: string]: unknown;
}

const json = 'application/json';

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
};

export function printOpenApi(schema: GraphQLSchema, rows: readonly Row[]): OpenApi {
  const components = new Components(schema);
  const read = rows.map((row) => readRow(schema, row));
  components.nameSelections(
    read.flatMap(({ row, selection, root, operation }) =>
      selection.typesBelow(root, [operation.selectionSet]).map((use) => ({
        ...use,
        operation: row.operation.name,
      })),
    ),
  );
  const paths: OpenApi['paths'] = {};
  const operationIds = new Set<string>();
  for (const one of read) {
    const path = one.row.path.replace(/:(\w+)/g, '{$1}');
    const operation = describe(schema, one, components, operationIds);
    paths[path] = { ...paths[path], [one.row.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Duet',
      version,
      summary: 'Commerce, accounts and content: the REST voice of one GraphQL schema.',
      description:
        'Every path runs a stored GraphQL operation, named in `x-graphql-operation`; every property names its GraphQL field in `x-graphql-field`. Timestamps are Unix seconds, money is in minor units. Unset optional fields are absent.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway this description came from.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(rows),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token from `/v1/users/login`, or an API key.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of a user.' },
      },
      headers: responseHeaders,
      responses: errorResponses,
      schemas: Object.fromEntries(
        Object.entries({ ...components.schemas, ...errorSchemas }).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
  };
}

/** The first path segment that names a noun: `products` in `/v1/businesses/:businessId/products/:id`. */
function tagOf(row: Row): string {
  const [, , first = '', , noun] = row.path.split('/');
  return (first === 'businesses' && noun) || first;
}

const tagsOf = (rows: readonly Row[]) =>
  [...new Set(rows.map(tagOf))].map((name) => ({
    name,
    description: `Everything under \`/${name}\`.`,
  }));

function describe(
  schema: GraphQLSchema,
  read: ReadRow,
  components: Components,
  operationIds: Set<string>,
): Json {
  const { row, operation } = read;
  const places = placesOf(schema, operation, row);
  const answer = answerOf(read, components);
  const { rootField, scope } = scopeOf(read);
  const isAlias = operationIds.has(row.operation.name);
  const operationId = freeName(row.operation.name, operationIds);
  const body = requestBodyOf(places, components);
  return {
    operationId,
    summary: wordsOf(row.operation.name),
    description: [
      rootField.field.description,
      scope.permission && rootField.field.description?.includes(scope.permission) ? undefined : scope.text,
      isAlias ? `Another address of \`${row.operation.name}\`.` : undefined,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [tagOf(row)],
    'x-graphql-operation': row.operation.name,
    'x-graphql-field': `${rootField.owner.name}.${rootField.field.name}`,
    ...(scope.isPublic ? { security: [] } : {}),
    parameters: parametersOf(row, places, components, isVersioned(answer)),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(row, places, answer, scope.isPublic, components),
  };
}

/** Lists have no ETag. */
const isVersioned = (schema: JsonSchema) => !(schema.properties && Object.hasOwn(schema.properties, 'items'));

function responsesOf(
  row: Row,
  places: Places,
  answer: JsonSchema,
  isPublic: boolean,
  components: Components,
): Json {
  const hasBody = row.method === 'POST' || row.method === 'PUT';
  const tagged = isVersioned(answer);
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    // Public operations too: they may be sent a token in the body.
    'UNAUTHENTICATED',
    ...(isPublic ? [] : (['FORBIDDEN'] as const)),
    'NOT_FOUND',
    ...(row.method === 'GET' ? [] : (['CONFLICT'] as const)),
    ...(places.readsVersion ? (['PRECONDITION_FAILED'] as const) : []),
    ...(hasBody ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ];
  return {
    200: {
      description: 'Done.',
      headers: headerRefs('X-Request-Id', ...(tagged ? (['ETag'] as const) : [])),
      content: {
        [json]: { schema: answer, example: sample(components.schemas, answer) },
      },
    },
    ...(tagged && row.method === 'GET'
      ? {
          304: {
            description: 'The record is what `If-None-Match` names.',
            headers: headerRefs('X-Request-Id', 'ETag'),
          },
        }
      : {}),
    ...failures(codes),
  };
}

/** `ListShippingMethods` reads "List shipping methods". */
const wordsOf = (name: string) => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Operations with several addresses get one id each. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  taken.add(free);
  return free;
}

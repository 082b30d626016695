/** The OpenAPI description of the REST voice, derived from the routes and the GraphQL schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { exampleOf } from '../../test/parity/demo-shop.ts';
import { Components } from './component-schemas.ts';
import { errorResponses, errorSchemas } from './error-responses.ts';
import { Examples } from './examples.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { bindRouteInputs } from './input-bindings.ts';
import { pagePaths } from './non-json-formats.ts';
import { chooseOperationId, describeOperation } from './operation.ts';
import { addResponseLinks } from './prerequisite-requests.ts';
import { providerCallbackPaths } from './provider-callbacks.ts';
import { RequiredInputs } from './required-inputs.ts';
import { scopeOf } from './scopes.ts';
import { parseRoute } from './selection.ts';
import { tagsOf } from './tags.ts';
import { callbacks, webhooksOf } from './webhooks.ts';

type Json = { [key: string]: unknown };

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; [kind: string]: unknown };
  [key: string]: unknown;
}

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
};

/** The shared responses that some operation refers to. */
function usedResponses(paths: object): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(errorResponses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

/** Without events for a schema that has not the enums they speak of. */
export function printOpenApi(
  schema: GraphQLSchema,
  routes: readonly RestRoute[],
  withEvents = true,
): OpenApi {
  const raw = routes.map((route) => parseRoute(schema, route));
  const requiredInputs = new RequiredInputs(
    raw.map((one) => scopeOf(one).rootField).map(({ owner, field }) => ({ owner: owner.name, field })),
  );
  const taken = new Set<string>();
  const read = raw.map((one) => {
    const operationId = chooseOperationId(one.route, taken);
    const example = exampleOf(operationId) ?? exampleOf(one.route.operation.name);
    return {
      ...one,
      operationId,
      bindings: bindRouteInputs(schema, one.operation, one.route, requiredInputs),
      example,
    };
  });
  const examples = new Examples();
  for (const { bindings, example } of read) examples.read(bindings, example ?? {});
  const components = new Components(schema, { requiredInputs, examples });
  components.nameSelections(
    read.flatMap(({ route, selection, root, operation }) =>
      selection.typesBelow(root, [operation.selectionSet]).map((use) => ({
        ...use,
        operation: route.operation.name,
      })),
    ),
  );
  const paths: OpenApi['paths'] = {};
  for (const one of read) {
    const path = one.route.path.replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation(one, components);
    paths[path] = { ...paths[path], [one.route.method.toLowerCase()]: operation };
  }
  addResponseLinks(Object.values(paths).flatMap((item) => Object.values(item)));
  const webhooks = withEvents ? webhooksOf(schema, components) : {};
  Object.assign(paths['/v1/businesses/{businessId}/webhooks']?.post ?? {}, { callbacks });
  const all: OpenApi['paths'] = { ...paths, ...providerCallbackPaths };
  for (const [path, item] of Object.entries(pagePaths(paths))) all[path] = { ...item, ...all[path] };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Duet',
      version,
      summary: 'Commerce, accounts and content: the REST voice of one GraphQL schema.',
      description:
        'Every path runs a stored GraphQL operation, named in `x-graphql-operation`; every property names its GraphQL field in `x-graphql-field`. Timestamps are Unix seconds, money is in minor units. Unset optional fields are absent. The header `X-Duet-Version: 2026-11-01` keeps the wire of that day, in which errors have no `requestId`.',
      contact: { name: 'Whoever runs this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway this description came from.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(routes),
    paths: all,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            '`Authorization: Bearer …` with an access token that `/v1/users/login` answers (a guest gets one by `{"provider": "GUEST"}`), or with an API key.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            '`X-API-Key: …` with an API key, for servers: it acts with the permissions of its user, or with those it was limited to. Users make theirs by `UpdateMe`.',
        },
      },
      headers: responseHeaders,
      parameters: requestHeaders,
      responses: usedResponses(all),
      schemas: Object.fromEntries(
        Object.entries({ ...components.schemas, ...errorSchemas }).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
  };
}

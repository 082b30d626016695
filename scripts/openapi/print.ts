/** OpenAPI document of the REST API, derived from the routes and the GraphQL schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { parseRoute } from '../../src/rest/route-with-parsed-operation.ts';
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

/** Shared responses that at least one operation references. */
function usedResponses(paths: object): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(errorResponses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

/** `withEvents` is false for schemas of tests, which lack the enums of webhook events. */
export function printOpenApi(
  schema: GraphQLSchema,
  routes: readonly RestRoute[],
  withEvents = true,
): OpenApi {
  const parsedRoutes = routes.map((route) => parseRoute(schema, route));
  const requiredInputs = new RequiredInputs(
    parsedRoutes
      .map((parsedRoute) => scopeOf(parsedRoute).rootField)
      .map(({ owner, field }) => ({ owner: owner.name, field })),
  );
  const operationIds = new Set<string>();
  const describedRoutes = parsedRoutes.map((parsedRoute) => {
    const { route, operation } = parsedRoute;
    const operationId = chooseOperationId(route, operationIds);
    const example = exampleOf(operationId) ?? exampleOf(route.operation.name);
    return {
      ...parsedRoute,
      operationId,
      bindings: bindRouteInputs(schema, operation, route, requiredInputs),
      example,
    };
  });
  const examples = new Examples();
  for (const { bindings, example } of describedRoutes) examples.addRequest(bindings, example ?? {});
  const components = new Components(schema, { requiredInputs, examples });
  components.nameSelections(
    describedRoutes.flatMap(({ route, selection, root, operation }) =>
      selection.typesBelow(root, [operation.selectionSet]).map((use) => ({
        ...use,
        operation: route.operation.name,
      })),
    ),
  );
  const paths: OpenApi['paths'] = {};
  for (const describedRoute of describedRoutes) {
    const { route } = describedRoute;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation(describedRoute, components);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
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
      summary: 'Commerce, accounts and content: the REST API of a GraphQL schema.',
      description: [
        'Choose an operation to read about its fields and to send it from a form. Bodies are JSON. Timestamps are Unix seconds, money is in minor units, and unset optional fields are absent. Lists return `items`, and the `cursor` of the next page. Errors have a code, a message, and every invalid field in `details`.',
        'The header `X-Duet-Version` selects another API version: in `2026-11-01` errors have no `requestId`; from `2026-11-18` on, unknown fields, unknown query parameters and a `limit` above the maximum are 422, creates return 201, and errors have no `validationErrors`.',
        'Every path runs the stored GraphQL operation in `x-graphql-operation`; `x-graphql-field` is the GraphQL field of a property.',
      ].join('\n\n'),
      contact: { name: 'Operator of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
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
            '`Authorization: Bearer …` with an access token from `/v1/users/login` (for a guest: `{"provider": "GUEST"}`), or with an API key.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            '`X-API-Key: …` with an API key, for servers. It has the permissions of its user, or the subset that it is limited to. Users create keys with `UpdateMe`.',
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

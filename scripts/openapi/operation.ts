/** OpenAPI operation of a REST route. */

import { parse, visit } from 'graphql';
import type { ErrorCode } from '../../src/errors.ts';
import { codesByField, typeCodes } from '../../src/generated/domains/detail-codes.ts';
import { removeDetailCodesFromDescription } from '../../src/graphql/schema/append-detail-codes-to-descriptions.ts';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { acceptsBody } from '../../src/http-message.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { ParsedRoute } from '../../src/rest/route-with-parsed-operation.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import { codeSamples } from './code-samples.ts';
import type { Components } from './component-schemas.ts';
import { detailedErrorSchemas, errorResponsesFor } from './error-responses.ts';
import { responseExample } from './examples.ts';
import { headerRefs, limitHeaders } from './headers.ts';
import type { RouteBindings } from './input-bindings.ts';
import type { JsonSchema } from './json-schema.ts';
import { acceptsForm, isErrorPage, nonJsonContent } from './non-json-formats.ts';
import { parametersOf } from './parameters.ts';
import { describePrerequisites } from './prerequisite-requests.ts';
import { requestBodyOf } from './request-body.ts';
import { responseSchema } from './response-schema.ts';
import { scopeOf } from './scopes.ts';
import { descriptionOf, summaryOf } from './summaries.ts';
import { tagOf } from './tags.ts';

type Json = { [key: string]: unknown };

export interface DescribedRoute extends ParsedRoute {
  operationId: string;
  bindings: RouteBindings;
  example: Example | undefined;
}

export function describeOperation(describedRoute: DescribedRoute, components: Components): Json {
  const { route, operationId, bindings, example } = describedRoute;
  const response = responseSchema(describedRoute, components);
  const { rootField, scope } = scopeOf(describedRoute);
  const body = requestBodyOf(bindings, components, {
    name: `${operationId}Body`,
    example: example?.body ?? {},
    acceptsForm: acceptsForm(route),
  });
  const isList = 'list' in route.response;
  const description = descriptionOf(route.operation.name, removeDetailCodesFromDescription(rootField.field));
  const parameters = parametersOf(route, bindings, components, { isVersioned: !isList, example });
  return {
    operationId,
    summary: summaryOf(route.operation.name),
    description: [
      description,
      scope.permission && description?.includes(scope.permission) ? undefined : scope.text,
      operationId !== route.operation.name ? `Alias of \`${route.operation.name}\`.` : undefined,
      example?.refused ? `The example is rejected in the demo shop. ${example.refused.because}` : undefined,
      example?.first ? describePrerequisites(example.first) : undefined,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [tagOf(route)],
    'x-graphql-operation': route.operation.name,
    'x-graphql-field': `${rootField.owner.name}.${rootField.field.name}`,
    'x-example': {
      as: example?.as ?? 'admin',
      ...(example?.refused ? { status: example.refused.status } : {}),
      ...(example?.first ? { first: example.first } : {}),
    },
    ...(rootField.field.deprecationReason ? { deprecated: true } : {}),
    ...(scope.isPublic ? { security: [] } : {}),
    'x-codeSamples': codeSamples({
      method: route.method,
      path: route.path,
      operationId,
      isPublic: scope.isPublic,
      parameters,
      // Routes that share an example may have no body.
      body: body && example?.body,
    }),
    parameters,
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(
      describedRoute,
      response,
      { operationId, field: rootField.field.name, isPublic: scope.isPublic },
      components,
    ),
  };
}

/**
 * Codes of the root field, and of fields with arguments below it that are also root fields, such as the products of a category. Undefined
 * for fields outside src, as in tests of this generator.
 */
function detailCodesOf(rootField: string, document: string): readonly string[] | undefined {
  const codes = codesByField[rootField];
  if (!codes) return undefined;
  const nested = fieldsWithArguments(document).flatMap((field) => codesByField[field] ?? []);
  return [...new Set([...typeCodes, ...codes, ...nested])].sort();
}

function fieldsWithArguments(document: string): string[] {
  const names: string[] = [];
  visit(parse(document), {
    Field(field) {
      if (field.arguments?.length) names.push(field.name.value);
    },
  });
  return names;
}

function responsesOf(
  { route, bindings }: DescribedRoute,
  response: JsonSchema,
  { operationId, field, isPublic }: { operationId: string; field: string; isPublic: boolean },
  components: Components,
): Json {
  const detailCodes = detailCodesOf(field, route.operation.source);
  const hasBody = acceptsBody(route.method);
  // Lists have no ETag.
  const hasEtag = !('list' in route.response);
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    // Public operations too: a request may send an invalid token.
    'UNAUTHENTICATED',
    ...(isPublic ? [] : (['FORBIDDEN'] as const)),
    'NOT_FOUND',
    ...(hasBody ? (['REQUEST_TIMEOUT'] as const) : []),
    ...(route.method === 'GET' ? [] : (['CONFLICT'] as const)),
    ...(bindings.readsVersion ? (['PRECONDITION_FAILED'] as const) : []),
    ...(hasBody ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ];
  const success = {
    headers: headerRefs(
      'X-Request-Id',
      hasEtag ? 'ETag' : 'Link',
      ...limitHeaders,
      'X-Ignored-Fields',
      ...(route.method === 'GET' ? [] : (['X-Consistency-Token'] as const)),
      ...(acceptsDeprecated(bindings) ? (['Deprecation', 'Sunset'] as const) : []),
    ),
    content: {
      'application/json': { schema: response, example: responseExample(components.schemas, response) },
      ...nonJsonContent(route),
    },
  };
  return {
    200: { description: 'Success.', ...success },
    ...(route.creates
      ? {
          201: {
            description: 'Created: from API version `2026-11-18` on, instead of 200.',
            ...success,
            headers: { ...success.headers, ...headerRefs('Location') },
          },
        }
      : {}),
    ...(hasEtag && route.method === 'GET'
      ? {
          304: {
            description: 'The record still has the ETag in `If-None-Match`.',
            headers: headerRefs('X-Request-Id', 'ETag'),
          },
        }
      : {}),
    ...errorResponsesFor(
      codes,
      detailCodes && detailedErrorSchemas(operationId, detailCodes, components),
      isErrorPage(route),
    ),
  };
}

/** Whether a request can contain a deprecated parameter or field. */
const acceptsDeprecated = ({ query, body }: RouteBindings) =>
  [...query.values(), ...body.values()].some(
    (binding) => binding && isDeprecatedCoordinate(binding.coordinate),
  );

/** Unique operation id: the operation name, with `Patch` instead of its verb for PATCH; for further routes of the operation, with the last path segment or the method. */
export function chooseOperationId({ operation, path, method }: RestRoute, taken: Set<string>): string {
  const lastSegment = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? '';
  const suffix = lastSegment.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const name = method === 'PATCH' ? operation.name.replace(/^[A-Z][a-z]+/, 'Patch') : operation.name;
  const operationId = [name, `${operation.name}At${suffix}`, `${operation.name}By${verb}`].find(
    (candidate, index) => !taken.has(candidate) && !(index === 1 && suffix === operation.name),
  );
  if (!operationId) throw new Error(`${method} ${path}: no unique operation id is left.`);
  taken.add(operationId);
  return operationId;
}

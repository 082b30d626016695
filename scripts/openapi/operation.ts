/** One operation of the REST voice in OpenAPI. */
import type { ErrorCode } from '../../src/errors.ts';
import { codesByField, typeCodes } from '../../src/generated/domains/detail-codes.ts';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { descriptionWithoutDetailCodes } from '../../src/graphql/schema/detail-code-descriptions.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import { codeSamples } from './code-samples.ts';
import type { Components } from './component-schemas.ts';
import { detailedErrorSchema, errorResponsesFor } from './error-responses.ts';
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
import type { ParsedRoute } from './selection.ts';
import { descriptionOf, summaryOf } from './summaries.ts';
import { tagOf } from './tags.ts';

type Json = { [key: string]: unknown };

export interface DescribedRoute extends ParsedRoute {
  operationId: string;
  bindings: RouteBindings;
  example: Example | undefined;
}

export function describeOperation(read: DescribedRoute, components: Components): Json {
  const { route, operationId, bindings, example } = read;
  const answer = responseSchema(read, components);
  const { rootField, scope } = scopeOf(read);
  const body = requestBodyOf(bindings, components, {
    name: `${operationId}Body`,
    example: example?.body ?? {},
    form: acceptsForm(route),
  });
  const isList = 'list' in route.response;
  const own = descriptionOf(route.operation.name, descriptionWithoutDetailCodes(rootField.field));
  const parameters = parametersOf(route, bindings, components, { isVersioned: !isList, example });
  return {
    operationId,
    summary: summaryOf(route.operation.name),
    description: [
      own,
      scope.permission && own?.includes(scope.permission) ? undefined : scope.text,
      operationId !== route.operation.name ? `Another address of \`${route.operation.name}\`.` : undefined,
      example?.refused ? `The example is refused as it stands. ${example.refused.because}` : undefined,
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
      // Where several routes share an example, some of them take no body.
      body: body && example?.body,
    }),
    parameters,
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(
      read,
      answer,
      { operationId, field: rootField.field.name, isPublic: scope.isPublic },
      components,
    ),
  };
}

/** Fields that are in no code, as in tests of this printer, refuse with anything. */
function detailsOf(field: string): readonly string[] | undefined {
  const codes = codesByField[field];
  return codes && [...new Set([...typeCodes, ...codes])].sort();
}

function responsesOf(
  { route, bindings }: DescribedRoute,
  answer: JsonSchema,
  { operationId, field, isPublic }: { operationId: string; field: string; isPublic: boolean },
  components: Components,
): Json {
  const details = detailsOf(field);
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  // Lists have no ETag.
  const tagged = !('list' in route.response);
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    // Public operations too: they may be sent a token in the body.
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
  return {
    200: {
      description: 'Done.',
      headers: headerRefs(
        'X-Request-Id',
        tagged ? 'ETag' : 'Link',
        ...limitHeaders,
        ...(route.method === 'GET' ? [] : (['X-Consistency-Token'] as const)),
        ...(mayBeOutdated(bindings) ? (['Deprecation', 'Sunset'] as const) : []),
      ),
      content: {
        'application/json': { schema: answer, example: responseExample(components.schemas, answer) },
        ...nonJsonContent(route),
      },
    },
    ...(tagged && route.method === 'GET'
      ? {
          304: {
            description: 'The record is what `If-None-Match` names.',
            headers: headerRefs('X-Request-Id', 'ETag'),
          },
        }
      : {}),
    ...errorResponsesFor(
      codes,
      details && detailedErrorSchema(operationId, details, components),
      isErrorPage(route),
    ),
  };
}

/** Whether a caller may send what is on its way out. */
const mayBeOutdated = ({ query, body }: RouteBindings) =>
  [...query.values(), ...body.values()].some(
    (binding) => binding && isDeprecatedCoordinate(binding.coordinate),
  );

/** Operations with several addresses have one id each, told apart by the end of the path, or else by the method. */
export function chooseOperationId({ operation, path, method }: RestRoute, taken: Set<string>): string {
  const end = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? '';
  const binding = end.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const free = [operation.name, `${operation.name}At${binding}`, `${operation.name}By${verb}`].find(
    (name, index) => !taken.has(name) && !(index === 1 && binding === operation.name),
  );
  if (!free) throw new Error(`${method} ${path} needs a name of its own.`);
  taken.add(free);
  return free;
}

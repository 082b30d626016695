/** One operation of the REST voice in OpenAPI. */
import type { ErrorCode } from '../../src/errors.ts';
import { codesByField, typeCodes } from '../../src/generated/domains/detail-codes.ts';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { descriptionWithoutErrorCodes } from '../../src/graphql/schema/error-code-descriptions.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import { codeSamples } from './code-samples.ts';
import type { Components } from './component-schemas.ts';
import { failures, reasonsOf } from './error-responses.ts';
import { answerExample } from './examples.ts';
import { headerRefs, limitHeaders } from './headers.ts';
import type { Places } from './input-bindings.ts';
import type { JsonSchema } from './json-schema.ts';
import { failsAsPage, otherForms, takesForm } from './non-json-formats.ts';
import { parametersOf } from './parameters.ts';
import { askedFirst } from './prerequisite-requests.ts';
import { requestBodyOf } from './request-body.ts';
import { answerOf } from './response-schema.ts';
import { scopeOf } from './scopes.ts';
import type { ReadRow } from './selection.ts';
import { descriptionOf, summaryOf } from './summaries.ts';
import { tagOf } from './tags.ts';

type Json = { [key: string]: unknown };

export interface Described extends ReadRow {
  operationId: string;
  places: Places;
  example: Example | undefined;
}

export function describe(read: Described, components: Components): Json {
  const { row, operationId, places, example } = read;
  const answer = answerOf(read, components);
  const { rootField, scope } = scopeOf(read);
  const body = requestBodyOf(places, components, {
    name: `${operationId}Body`,
    example: example?.body ?? {},
    form: takesForm(row),
  });
  const isList = 'list' in row.response;
  const own = descriptionOf(row.operation.name, descriptionWithoutErrorCodes(rootField.field));
  const parameters = parametersOf(row, places, components, { isVersioned: !isList, example });
  return {
    operationId,
    summary: summaryOf(row.operation.name),
    description: [
      own,
      scope.permission && own?.includes(scope.permission) ? undefined : scope.text,
      operationId !== row.operation.name ? `Another address of \`${row.operation.name}\`.` : undefined,
      example?.refused ? `The example is refused as it stands. ${example.refused.because}` : undefined,
      example?.first ? askedFirst(example.first) : undefined,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [tagOf(row)],
    'x-graphql-operation': row.operation.name,
    'x-graphql-field': `${rootField.owner.name}.${rootField.field.name}`,
    'x-example': {
      as: example?.as ?? 'admin',
      ...(example?.refused ? { status: example.refused.status } : {}),
      ...(example?.first ? { first: example.first } : {}),
    },
    ...(rootField.field.deprecationReason ? { deprecated: true } : {}),
    ...(scope.isPublic ? { security: [] } : {}),
    'x-codeSamples': codeSamples({
      method: row.method,
      path: row.path,
      operationId,
      isPublic: scope.isPublic,
      parameters,
      // Where several rows share an example, some of them take no body.
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
  { row, places }: Described,
  answer: JsonSchema,
  { operationId, field, isPublic }: { operationId: string; field: string; isPublic: boolean },
  components: Components,
): Json {
  const details = detailsOf(field);
  const hasBody = row.method === 'POST' || row.method === 'PUT';
  // Lists have no ETag.
  const tagged = !('list' in row.response);
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    // Public operations too: they may be sent a token in the body.
    'UNAUTHENTICATED',
    ...(isPublic ? [] : (['FORBIDDEN'] as const)),
    'NOT_FOUND',
    ...(hasBody ? (['REQUEST_TIMEOUT'] as const) : []),
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
      headers: headerRefs(
        'X-Request-Id',
        tagged ? 'ETag' : 'Link',
        ...limitHeaders,
        ...(row.method === 'GET' ? [] : (['X-Consistency-Token'] as const)),
        ...(mayBeOutdated(places) ? (['Deprecation', 'Sunset'] as const) : []),
      ),
      content: {
        'application/json': { schema: answer, example: answerExample(components.schemas, answer) },
        ...otherForms(row),
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
    ...failures(codes, details && reasonsOf(operationId, details, components), failsAsPage(row)),
  };
}

/** Whether a caller may send what is on its way out. */
const mayBeOutdated = ({ query, body }: Places) =>
  [...query.values(), ...body.values()].some((place) => place && isDeprecatedCoordinate(place.field));

/** Operations with several addresses have one id each, told apart by the end of the path, or else by the method. */
export function nameOf({ operation, path, method }: RestRoute, taken: Set<string>): string {
  const end = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? '';
  const place = end.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const free = [operation.name, `${operation.name}At${place}`, `${operation.name}By${verb}`].find(
    (name, index) => !taken.has(name) && !(index === 1 && place === operation.name),
  );
  if (!free) throw new Error(`${method} ${path} needs a name of its own.`);
  taken.add(free);
  return free;
}

/** OpenAPI error responses, from the table of error codes. */
import { type ErrorCode, errorCodeDescriptions, httpStatusByErrorCode } from '../../src/errors.ts';
import type { Components } from './component-schemas.ts';
import { headerRefs, limitHeaders, sampleRequestId } from './headers.ts';
import { type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';

const errorCodes = Object.keys(httpStatusByErrorCode) as ErrorCode[];

const field = {
  type: 'string',
  description: 'Path of the field, such as `variants.0.pricing.markets.1.price`.',
  examples: ['name'],
};
const sentence = { type: 'string', description: 'Message for humans.' };

const listOf = (items: JsonSchema, description: string) => ({ type: 'array', items, description });

/** Lists of errors without details: a list of nothing else, so that generated types and the reference show no codes. */
const noDetails = { type: 'array', items: {}, maxItems: 0, description: 'Empty.' };

const bodySchema = (details: JsonSchema, validationErrors: JsonSchema, description: string) =>
  objectSchema(
    {
      error: { $ref: schemaRef('ErrorCode') },
      message: sentence,
      details,
      validationErrors,
      requestId: { $ref: schemaRef('RequestId') },
    },
    ['error', 'message', 'details', 'requestId'],
    description,
  );

/** An error body with the members of RFC 9457 in addition. */
const problemOf = (body: string, description: string): JsonSchema => ({
  description,
  allOf: [{ $ref: schemaRef('ProblemMembers') }, { $ref: schemaRef(body) }],
});

/** `codes` is the schema of the detail codes. */
const detailedErrorOf = (codes: JsonSchema, description: string) =>
  bodySchema(
    listOf(
      objectSchema({ field, error: codes, message: sentence }, ['field', 'error', 'message']),
      'All errors of the request; empty if there are no details.',
    ),
    listOf(
      objectSchema({ field, error: codes }, ['field', 'error']),
      'Copy of `details` without messages, in API versions before `2026-11-18`.',
    ),
    description,
  );

const plainError = bodySchema(noDetails, noDetails, 'Body of an error response without details.');

/** Components without a GraphQL type. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: plainError,
  ErrorCode: { type: 'string', enum: errorCodes, description: 'Kind of error.' },
  DetailedError: detailedErrorOf(
    { $ref: schemaRef('ErrorDetailCode') },
    'Body of an error response with details.',
  ),
  DetailedProblem: problemOf('DetailedError', 'Problem details of an error with details.'),
  Problem: problemOf('Error', 'Problem details (RFC 9457), with the members of the usual error body.'),
  ProblemMembers: objectSchema(
    {
      type: { type: 'string', description: 'URI of the kind of problem.' },
      title: { type: 'string', description: 'Name of the status.' },
      status: { type: 'integer', description: 'HTTP status.' },
      detail: sentence,
      instance: { type: 'string', description: 'URI of this occurrence of the problem.' },
    },
    ['type', 'title', 'status', 'detail', 'instance'],
    'Members of problem details that the usual error body lacks.',
  ),
  RequestId: {
    type: 'string',
    description: 'Id of the request in the logs, equal to the header `X-Request-Id`.',
    examples: [sampleRequestId],
  },
};

interface ErrorBodies {
  json: JsonSchema;
  problem: JsonSchema;
}

/** Error bodies of an operation, with an enum of its detail codes. */
export function detailedErrorSchemas(
  operation: string,
  details: readonly string[],
  components: Components,
): ErrorBodies {
  const codes = components.named(`${operation}DetailCode`, {
    type: 'string',
    enum: details,
    description: `Detail codes of \`${operation}\`. Clients must accept new codes.`,
  });
  const body = detailedErrorOf(codes, `Error of \`${operation}\`, with its detail codes.`);
  return {
    json: components.named(`${operation}Error`, body),
    problem: components.named(
      `${operation}Problem`,
      problemOf(`${operation}Error`, `Problem details of \`${operation}\`, with its detail codes.`),
    ),
  };
}

/** Errors with details. */
const codesWithDetails: readonly ErrorCode[] = ['BAD_REQUEST', 'CONFLICT', 'VALIDATION_FAILED'];

const extraHeaders: Partial<Record<ErrorCode, Parameters<typeof headerRefs>>> = {
  METHOD_NOT_ALLOWED: ['Allow'],
  RATE_LIMITED: ['Retry-After', ...limitHeaders],
  UNAUTHENTICATED: ['WWW-Authenticate'],
  UNAVAILABLE: ['Retry-After'],
};

const exampleOf = (error: ErrorCode) => {
  const details =
    error === 'VALIDATION_FAILED'
      ? [{ field: 'name', error: 'REQUIRED', message: 'This field is required.' }]
      : [];
  return {
    error,
    message: details[0]?.message ?? errorCodeDescriptions[error],
    details,
    validationErrors: details.map(({ field: path, error: code }) => ({ field: path, error: code })),
    requestId: sampleRequestId,
  };
};

/** HTML page, at the paths that mails link to. */
export const page = { 'text/html': { schema: { type: 'string', description: 'HTML page.' } } };

const response = (error: ErrorCode, content: JsonSchema, problem: JsonSchema, asPage = false) => ({
  description: errorCodeDescriptions[error],
  headers: headerRefs('X-Request-Id', ...(extraHeaders[error] ?? [])),
  content: {
    'application/json': content,
    // For clients that accept it.
    'application/problem+json': { schema: problem },
    ...(asPage ? page : {}),
  },
});

const hasDetails = (error: ErrorCode) => codesWithDetails.includes(error);

const generalBody = (error: ErrorCode) => ({
  schema: { $ref: schemaRef(hasDetails(error) ? 'DetailedError' : 'Error') },
  example: exampleOf(error),
});

const generalProblem = (error: ErrorCode) => ({
  $ref: schemaRef(hasDetails(error) ? 'DetailedProblem' : 'Problem'),
});

/** TIMEOUT has the status of UNAVAILABLE. */
export const errorResponses = Object.fromEntries(
  errorCodes
    .filter((error) => error !== 'TIMEOUT')
    .map((error) => [error, response(error, generalBody(error), generalProblem(error))]),
);

/**
 * Error responses of an operation. `bodies` are the schemas of errors with details; `isPage` selects the errors that are also available as
 * an HTML page.
 */
export const errorResponsesFor = (
  codes: readonly ErrorCode[],
  bodies?: ErrorBodies,
  isPage: (code: ErrorCode) => boolean = () => false,
) =>
  Object.fromEntries(
    codes.map((error) => {
      const detailed = hasDetails(error) ? bodies : undefined;
      return [
        String(httpStatusByErrorCode[error]),
        detailed || isPage(error)
          ? response(
              error,
              detailed ? { schema: detailed.json } : generalBody(error),
              detailed?.problem ?? generalProblem(error),
              isPage(error),
            )
          : { $ref: `#/components/responses/${error}` },
      ];
    }),
  );

/** OpenAPI error responses, from the table of error codes. */
import { type ErrorCode, errorCodeDescriptions, httpStatusByErrorCode } from '../../src/errors.ts';
import type { Components } from './component-schemas.ts';
import { headerRefs, limitHeaders, sampleRequestId } from './headers.ts';
import { type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';

const errorCodes = Object.keys(httpStatusByErrorCode) as ErrorCode[];

/** An enum here too: next to a plain string, TypeScript would widen the union with an operation's detail codes to string. */
const code = { $ref: schemaRef('ErrorDetailCode') };
const field = {
  type: 'string',
  description: 'Path of the field, such as `variants.0.pricing.markets.1.price`.',
  examples: ['name'],
};
const sentence = { type: 'string', description: 'Message for humans.' };
const detailParts = ['field', 'error', 'message'];

const errorSchema = (details: JsonSchema, description: string) =>
  objectSchema(
    {
      error: { $ref: schemaRef('ErrorCode') },
      message: sentence,
      details: {
        type: 'array',
        items: details,
        description: 'All errors of the request; empty if there are no details.',
      },
      validationErrors: { $ref: schemaRef('ValidationErrors') },
      requestId: { $ref: schemaRef('RequestId') },
    },
    ['error', 'message', 'details', 'validationErrors', 'requestId'],
    description,
  );

/** Components without a GraphQL type. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: errorSchema({ $ref: schemaRef('ErrorDetail') }, 'Body of every error response.'),
  ErrorCode: { type: 'string', enum: errorCodes, description: 'Kind of error.' },
  ErrorDetail: objectSchema(
    { field, error: code, message: sentence },
    detailParts,
    'One error of the request.',
  ),
  Problem: objectSchema(
    {
      type: { type: 'string', description: 'URI of the kind of problem.' },
      title: { type: 'string', description: 'Name of the status.' },
      status: { type: 'integer', description: 'HTTP status.' },
      detail: sentence,
      instance: { type: 'string', description: 'URI of this occurrence of the problem.' },
      error: { $ref: schemaRef('ErrorCode') },
      message: sentence,
      details: {
        type: 'array',
        items: { $ref: schemaRef('ErrorDetail') },
        description: 'All errors of the request.',
      },
      validationErrors: { $ref: schemaRef('ValidationErrors') },
      requestId: { $ref: schemaRef('RequestId') },
    },
    [
      'type',
      'title',
      'status',
      'detail',
      'instance',
      'error',
      'message',
      'details',
      'validationErrors',
      'requestId',
    ],
    'Problem details (RFC 9457), with the members of the usual error body.',
  ),
  ValidationErrors: {
    type: 'array',
    items: objectSchema({ field, error: code }, ['field', 'error']),
    description: 'Copy of `details` without messages, for older clients.',
  },
  RequestId: {
    type: 'string',
    description: 'Id of the request in the logs, equal to the header `X-Request-Id`.',
    examples: [sampleRequestId],
  },
};

/** Error body of an operation, with an enum of its detail codes. */
export function detailedErrorSchema(
  operation: string,
  details: readonly string[],
  components: Components,
): JsonSchema {
  const codes = components.named(`${operation}DetailCode`, {
    type: 'string',
    enum: details,
    description: `Detail codes of \`${operation}\`. Clients must accept new codes.`,
  });
  const detail = objectSchema({ field, error: codes, message: sentence }, detailParts);
  return components.named(
    `${operation}Error`,
    errorSchema(detail, `Error of \`${operation}\`, with its detail codes.`),
  );
}

/** Errors with details. */
const codesWithDetails: readonly ErrorCode[] = ['BAD_REQUEST', 'CONFLICT', 'VALIDATION_FAILED'];

const extraHeaders: Partial<Record<ErrorCode, Parameters<typeof headerRefs>>> = {
  METHOD_NOT_ALLOWED: ['Allow'],
  RATE_LIMITED: ['Retry-After', ...limitHeaders],
  UNAUTHENTICATED: ['WWW-Authenticate'],
  UNAVAILABLE: ['Retry-After'],
};

/** For clients that accept `application/problem+json`. */
const problem = { schema: { $ref: schemaRef('Problem') } };

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

const response = (error: ErrorCode, content: JsonSchema, asPage = false) => ({
  description: errorCodeDescriptions[error],
  headers: headerRefs('X-Request-Id', ...(extraHeaders[error] ?? [])),
  content: {
    'application/json': content,
    'application/problem+json': problem,
    ...(asPage ? page : {}),
  },
});

const plainBody = (error: ErrorCode) => ({ schema: { $ref: schemaRef('Error') }, example: exampleOf(error) });

/** TIMEOUT has the status of UNAVAILABLE. */
export const errorResponses = Object.fromEntries(
  errorCodes
    .filter((error) => error !== 'TIMEOUT')
    .map((error) => [error, response(error, plainBody(error))]),
);

/**
 * Error responses of an operation. `body` is the schema of errors with details; `isPage` selects the errors that are also available as
 * an HTML page.
 */
export const errorResponsesFor = (
  codes: readonly ErrorCode[],
  body?: JsonSchema,
  isPage: (code: ErrorCode) => boolean = () => false,
) =>
  Object.fromEntries(
    codes.map((error) => {
      const detailed = body && codesWithDetails.includes(error) ? { schema: body } : undefined;
      return [
        String(httpStatusByErrorCode[error]),
        detailed || isPage(error)
          ? response(error, detailed ?? plainBody(error), isPage(error))
          : { $ref: `#/components/responses/${error}` },
      ];
    }),
  );

/** Failures in OpenAPI, from the one table of error codes. */
import { type ErrorCode, errorMeanings, httpStatus } from '../../src/errors.ts';
import type { Components } from './component-schemas.ts';
import { headerRefs, limitHeaders, sampleRequestId } from './headers.ts';
import { type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';

const errorCodes = Object.keys(httpStatus) as ErrorCode[];

/** One of the known ones here too: next to it, the few codes of an operation would be any text for whoever reads all its errorResponsesFor. */
const code = { $ref: schemaRef('ErrorDetailCode') };
const field = {
  type: 'string',
  description: 'Path of the field, such as `variants.0.pricing.markets.1.price`.',
  examples: ['name'],
};
const sentence = { type: 'string', description: 'A sentence for people.' };
const detailParts = ['field', 'error', 'message'];

const errorSchema = (details: JsonSchema, description: string) =>
  objectSchema(
    {
      error: { $ref: schemaRef('ErrorCode') },
      message: sentence,
      details: {
        type: 'array',
        items: details,
        description: 'Every reason; empty when there is nothing to add.',
      },
      validationErrors: { $ref: schemaRef('ValidationErrors') },
      requestId: { $ref: schemaRef('RequestId') },
    },
    ['error', 'message', 'details', 'validationErrors', 'requestId'],
    description,
  );

/** Components that no GraphQL type stands behind. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: errorSchema({ $ref: schemaRef('ErrorDetail') }, 'The body of every failure.'),
  ErrorCode: { type: 'string', enum: errorCodes, description: 'What kind of failure this is.' },
  ErrorDetail: objectSchema(
    { field, error: code, message: sentence },
    detailParts,
    'One reason for a failure.',
  ),
  Problem: objectSchema(
    {
      type: { type: 'string', description: 'A name for this kind of problem.' },
      title: { type: 'string', description: 'The status in words.' },
      status: { type: 'integer', description: 'The status once more.' },
      detail: sentence,
      instance: { type: 'string', description: 'A name for this very problem.' },
      error: { $ref: schemaRef('ErrorCode') },
      message: sentence,
      details: { type: 'array', items: { $ref: schemaRef('ErrorDetail') }, description: 'Every reason.' },
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
    'A failure after RFC 9457, with the members of the usual body.',
  ),
  ValidationErrors: {
    type: 'array',
    items: objectSchema({ field, error: code }, ['field', 'error']),
    description: 'The details once more, for older clients.',
  },
  RequestId: {
    type: 'string',
    description: 'Names the request in the logs, the same as the header `X-Request-Id`.',
    examples: [sampleRequestId],
  },
};

/** The body of a failure whose reasons are known. */
export function detailedErrorSchema(
  operation: string,
  details: readonly string[],
  components: Components,
): JsonSchema {
  const codes = components.named(`${operation}DetailCode`, {
    type: 'string',
    enum: details,
    description: `Why \`${operation}\` was refused. There may be new codes, as there may be new fields.`,
  });
  const detail = objectSchema({ field, error: codes, message: sentence }, detailParts);
  return components.named(
    `${operation}Error`,
    errorSchema(detail, `What \`${operation}\` refuses, and why.`),
  );
}

/** The errorResponsesFor that give reasons. */
const reasoned: readonly ErrorCode[] = ['BAD_REQUEST', 'CONFLICT', 'VALIDATION_FAILED'];

const extraHeaders: Partial<Record<ErrorCode, Parameters<typeof headerRefs>>> = {
  METHOD_NOT_ALLOWED: ['Allow'],
  RATE_LIMITED: ['Retry-After', ...limitHeaders],
  UNAUTHENTICATED: ['WWW-Authenticate'],
  UNAVAILABLE: ['Retry-After'],
};

/** For callers that accept it; with the members of the usual body. */
const problem = { schema: { $ref: schemaRef('Problem') } };

const exampleOf = (error: ErrorCode) => {
  const details =
    error === 'VALIDATION_FAILED'
      ? [{ field: 'name', error: 'REQUIRED', message: 'This field is required.' }]
      : [];
  return {
    error,
    message: details[0]?.message ?? errorMeanings[error],
    details,
    validationErrors: details.map(({ field: path, error: code }) => ({ field: path, error: code })),
    requestId: sampleRequestId,
  };
};

/** For people, at the addresses that mails link to. */
export const page = { 'text/html': { schema: { type: 'string', description: 'A page for people.' } } };

const response = (error: ErrorCode, content: JsonSchema, asPage = false) => ({
  description: errorMeanings[error],
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
 * The responses of an operation for the codes it may fail with; `body` is what those that give reasons look like, `asPage`
 * tells which are pages for who wants one.
 */
export const errorResponsesFor = (
  codes: readonly ErrorCode[],
  body?: JsonSchema,
  asPage: (code: ErrorCode) => boolean = () => false,
) =>
  Object.fromEntries(
    codes.map((error) => {
      const own = body && reasoned.includes(error) ? { schema: body } : undefined;
      return [
        String(httpStatus[error]),
        own || asPage(error)
          ? response(error, own ?? plainBody(error), asPage(error))
          : { $ref: `#/components/responses/${error}` },
      ];
    }),
  );

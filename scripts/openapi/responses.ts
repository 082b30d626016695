/** Failures and headers in OpenAPI, from the one table of error codes. */
import { type ErrorCode, httpStatus } from '../../src/errors.ts';
import { type JsonSchema, objectSchema, schemaRef } from './schemas.ts';

const meanings: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'The request is malformed: not JSON, the wrong content type, or an unknown provider.',
  UNAUTHENTICATED: 'There is no valid access token or API key.',
  FORBIDDEN: 'The caller lacks the permission this needs.',
  NOT_FOUND: 'There is no such record, or the caller may not know of it.',
  METHOD_NOT_ALLOWED: 'The path does not have this method.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  CONFLICT: 'Somebody changed the same record at the same time, or the idempotency key was used before.',
  PRECONDITION_FAILED: 'The record is no longer at the version that `If-Match` names.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  VALIDATION_FAILED: 'Fields are invalid, or a rule says no. All faults are listed.',
  RATE_LIMITED: 'Too many requests of this kind. Try again later.',
  INTERNAL: 'Something went wrong on our side.',
  UNAVAILABLE:
    'A part of the service is not available at the moment, or the operation took too long (`TIMEOUT`).',
  TIMEOUT: 'The operation took too long and was called off.',
};

const errorCodes = Object.keys(httpStatus) as ErrorCode[];

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

export const responseHeaders = {
  'X-Request-Id': textHeader(
    'Names the request in the logs; the one sent, when one was sent.',
    '6f1c3f0e-5a2b-4c55-9d0e-6b1a3f0c9a11',
  ),
  ETag: textHeader('Names the version of the record and its bytes.', '"1-kq3Yx0PpT4zR2m1a"'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 30 },
  'WWW-Authenticate': textHeader('How to sign in.', 'Bearer'),
};

export const headerRefs = (...names: (keyof typeof responseHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const code = { type: 'string', description: 'A stable code.', examples: ['REQUIRED'] };
const field = {
  type: 'string',
  description: 'Path of the field, such as `variants.0.pricing.markets.1.price`.',
  examples: ['name'],
};

/** Components that no GraphQL type stands behind. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: objectSchema(
    {
      error: { type: 'string', enum: errorCodes, description: 'What kind of failure this is.' },
      message: { type: 'string', description: 'A sentence for people.' },
      details: {
        type: 'array',
        items: { $ref: schemaRef('ErrorDetail') },
        description: 'Every reason; empty when there is nothing to add.',
      },
      validationErrors: {
        type: 'array',
        items: objectSchema({ field, error: code }, ['field', 'error']),
        description: 'The details once more, for older clients.',
      },
    },
    ['error', 'message', 'details', 'validationErrors'],
    'The body of every failure.',
  ),
  ErrorDetail: objectSchema(
    {
      field,
      error: code,
      message: {
        type: 'string',
        description: 'A sentence for people.',
        examples: ['This field is required.'],
      },
    },
    ['field', 'error', 'message'],
    'One reason for a failure.',
  ),
};

const extraHeaders: Partial<Record<ErrorCode, keyof typeof responseHeaders>> = {
  RATE_LIMITED: 'Retry-After',
  UNAUTHENTICATED: 'WWW-Authenticate',
};

/** A path without the method is no operation, so none can answer METHOD_NOT_ALLOWED. TIMEOUT has the status of UNAVAILABLE. */
export const errorResponses = Object.fromEntries(
  errorCodes
    .filter((error) => error !== 'METHOD_NOT_ALLOWED' && error !== 'TIMEOUT')
    .map((error) => {
      const extra = extraHeaders[error];
      const details =
        error === 'VALIDATION_FAILED'
          ? [{ field: 'name', error: 'REQUIRED', message: 'This field is required.' }]
          : [];
      return [
        error,
        {
          description: meanings[error],
          headers: headerRefs('X-Request-Id', ...(extra ? [extra] : [])),
          content: {
            'application/json': {
              schema: { $ref: schemaRef('Error') },
              example: {
                error,
                message: details[0]?.message ?? meanings[error],
                details,
                validationErrors: details.map(({ field: path, error: reason }) => ({
                  field: path,
                  error: reason,
                })),
              },
            },
          },
        },
      ];
    }),
);

/** The responses of an operation for the codes it may fail with. */
export const failures = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((error) => [String(httpStatus[error]), { $ref: `#/components/responses/${error}` }]),
  );

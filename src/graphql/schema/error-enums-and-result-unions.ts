/** Error codes as enums, and `Refusal`, which the deprecated `try…` fields return. New mutations have `errors` in their payload: add-payload-errors.ts. */
import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { type DetailCode, detailCodes } from '../../detail-codes.ts';
import {
  AppError,
  type ErrorCode,
  type ErrorDetail,
  errorCodeDescriptions,
  httpStatusByErrorCode,
} from '../../errors.ts';
import { builder } from './builder.ts';
import { outputFields } from './field-tables.ts';
import { describedEnumValues } from './payload-and-enum-helpers.ts';

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: 'Error code: value of `extensions.code` in every error.',
  values: describedEnumValues<ErrorCode>(errorCodeDescriptions),
});

export const ErrorDetailCodeEnum = builder.enumType('ErrorDetailCode', {
  description:
    'Code of one error detail: value of `error` in `extensions.details`. New codes may be added without notice.',
  values: describedEnumValues<DetailCode>(detailCodes),
});

export const RefusalDetailGraphqlType = builder.objectRef<ErrorDetail>('RefusalDetail').implement({
  description: 'One validation error of a refusal.',
  fields: outputFields((t) => ({
    field: ['String!', 'Path of the input field, such as `items.0.quantity`.'],
    error: t.expose('error', { type: ErrorDetailCodeEnum, description: 'A stable code to branch on.' }),
    message: ['String!', 'Human-readable text in English.'],
  })),
});

/** An error returned as a value. */
class ReturnedError {
  readonly reason: AppError;
  readonly retryAfter: number | null;
  constructor(reason: AppError, ctx: Context) {
    this.reason = reason;
    this.retryAfter = retryAfterOf(reason, ctx);
  }
}

/** Seconds to wait before a retry; null unless a rate limit was exceeded. */
export function retryAfterOf({ code, headers }: AppError, { request }: Context): number | null {
  // Rate limits set the header on the response, not on the error.
  const ofResponse = code === 'RATE_LIMITED' ? request.responseHeaders['retry-after'] : undefined;
  return Number(headers['Retry-After'] ?? ofResponse) || null;
}

const RefusalGraphqlType = builder.objectRef<ReturnedError>('Refusal').implement({
  description: 'Expected error, returned as data. Nothing was changed.',
  fields: outputFields((t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'Error code to branch on.',
      resolve: ({ reason }) => reason.code,
    }),
    message: t.string({
      description: 'Human-readable text in English.',
      resolve: ({ reason }) => reason.message,
    }),
    details: t.field({
      type: [RefusalDetailGraphqlType],
      description: 'All validation errors; empty if the code says everything.',
      resolve: ({ reason }) => [...reason.details],
    }),
    retryAfter: ['Int', 'Seconds to wait before a retry; null unless a rate limit was exceeded.'],
  })),
});

/** Union type of a result and `Refusal`. */
export const createResultUnion = <T extends object>(
  name: string,
  type: ObjectRef<typeof builder.$inferSchemaTypes, T>,
) =>
  builder.unionType(name, {
    description: 'The result, or the error that prevented it.',
    types: [type, RefusalGraphqlType],
    resolveType: (value) => (value instanceof ReturnedError ? RefusalGraphqlType : type),
  });

interface ValidatedField<Output> {
  extensions: Readonly<Record<string, unknown>>;
  resolve(root: unknown, args: object, ctx: Context): Output | Promise<Output>;
}

/** Options of the `try…` variant of a field: errors below 500 of its resolver become data. Failed auth scopes and server errors stay errors. */
export const errorsAsData = <Output>({ extensions, resolve }: ValidatedField<Output>) => ({
  extensions,
  async resolve(root: unknown, args: object, ctx: Context): Promise<Output | ReturnedError> {
    try {
      return await resolve(root, args, ctx);
    } catch (error) {
      if (error instanceof AppError && httpStatusByErrorCode[error.code] < 500)
        return new ReturnedError(error, ctx);
      throw error;
    }
  },
});

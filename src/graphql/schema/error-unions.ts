/** Refusals as data: for the few fields where a frontend has to branch, a twin answers its result or why there is none. */
import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { type DetailCode, detailCodes } from '../../detail-codes.ts';
import { AppError, type ErrorCode, type ErrorDetail, errorMeanings, httpStatus } from '../../errors.ts';
import { builder } from './builder.ts';
import { enumValues } from './type-helpers.ts';

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: 'What kind of failure this is: `extensions.code` of every error has one of these.',
  values: enumValues<ErrorCode>(errorMeanings),
});

export const ErrorDetailCodeEnum = builder.enumType('ErrorDetailCode', {
  description:
    'One reason for a failure: `error` of each of `extensions.details`. There may be new ones, as there may be new fields.',
  values: enumValues<DetailCode>(detailCodes),
});

export const RefusalDetail = builder.objectRef<ErrorDetail>('RefusalDetail').implement({
  description: 'One reason for a refusal.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Path in the input, such as `items.0.quantity`.' }),
    error: t.expose('error', { type: ErrorDetailCodeEnum, description: 'A stable code to branch on.' }),
    message: t.exposeString('message', { description: 'A sentence for people.' }),
  }),
});

/** What was thrown, carried on as a value. */
class Refused {
  readonly reason: AppError;
  readonly retryAfter: number | null;
  constructor(reason: AppError, { request: { responseHeaders: answerHeaders } }: Context) {
    this.reason = reason;
    // Limits tell it to the whole answer.
    const ofAnswer = reason.code === 'RATE_LIMITED' ? answerHeaders['retry-after'] : undefined;
    this.retryAfter = Number(reason.headers['Retry-After'] ?? ofAnswer) || null;
  }
}

const RefusalType = builder.objectRef<Refused>('Refusal').implement({
  description: 'Why there is no result. Nothing was changed.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'What kind of failure it is.',
      resolve: ({ reason }) => reason.code,
    }),
    message: t.string({ description: 'A sentence for people.', resolve: ({ reason }) => reason.message }),
    details: t.field({
      type: [RefusalDetail],
      description: 'Every reason at once; empty when there is nothing to add.',
      resolve: ({ reason }) => [...reason.details],
    }),
    retryAfter: t.exposeInt('retryAfter', {
      nullable: true,
      description: 'Seconds to wait, when it was too much at once.',
    }),
  }),
});

/** The union of a result and a refusal. */
export const createResultUnion = <T extends object>(
  name: string,
  type: ObjectRef<typeof builder.$inferSchemaTypes, T>,
) =>
  builder.unionType(name, {
    description: 'The result, or why there is none.',
    types: [type, RefusalType],
    resolveType: (value) => (value instanceof Refused ? RefusalType : type),
  });

interface CheckedField<Output> {
  extensions: Readonly<Record<string, unknown>>;
  resolve(root: unknown, args: object, ctx: Context): Output | Promise<Output>;
}

/** The twin of a field: what its use case refuses is an answer. Who may not ask at all, and what is our fault, stays an error. */
export const errorsAsData = <Output>({ extensions, resolve }: CheckedField<Output>) => ({
  extensions,
  async resolve(root: unknown, args: object, ctx: Context): Promise<Output | Refused> {
    try {
      return await resolve(root, args, ctx);
    } catch (error) {
      if (error instanceof AppError && httpStatus[error.code] < 500) return new Refused(error, ctx);
      throw error;
    }
  },
});

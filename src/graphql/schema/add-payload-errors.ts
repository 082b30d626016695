/**
 * Typed errors of mutations: every payload has `errors`, and `result`, the same payload or null. A document that selects `errors` gets
 * expected errors there instead of in the `errors` of the response. Applied to the built schema, so that no mutation can lack it.
 */
import {
  type GraphQLField,
  GraphQLIncludeDirective,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { type DetailCode, detailCodes } from '../../detail-codes.ts';
import { AppError, type ErrorCode, errorCodeDescriptions, httpStatusByErrorCode } from '../../errors.ts';
import { builder } from './builder.ts';
import { retryAfterOf } from './error-enums-and-result-unions.ts';
import { outputFields } from './field-tables.ts';
import { describedEnumValues } from './payload-and-enum-helpers.ts';

/** Errors of the client program or of the transport, which no user can correct: they stay in the `errors` of the response. */
const requestErrorCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
] as const satisfies readonly ErrorCode[];

const isExpected = (code: ErrorCode): boolean =>
  httpStatusByErrorCode[code] < 500 && !requestErrorCodes.some((requestCode) => requestCode === code);

const expectedCodes = Object.fromEntries(
  Object.entries(errorCodeDescriptions).filter(([code]) => isExpected(code as ErrorCode)),
) as Partial<Record<ErrorCode, string>>;

interface UserError {
  code: DetailCode | ErrorCode;
  field: string | null;
  message: string;
  retryAfter: number | null;
}

const UserErrorCodeEnum = builder.enumType('UserErrorCode', {
  description:
    'Code of an expected error: those of ErrorDetailCode, and those of ErrorCode without details. New codes may be added without notice.',
  values: describedEnumValues<DetailCode | ErrorCode>({ ...detailCodes, ...expectedCodes } as never),
});

builder.objectRef<UserError>('UserError').implement({
  description: 'Expected error of a mutation, which a user can correct. The mutation changed nothing.',
  fields: outputFields((t) => ({
    code: t.expose('code', { type: UserErrorCodeEnum, description: 'A stable code to branch on.' }),
    field: [
      'String',
      'Path of the input field, such as `items.0.quantity`; null if the error is not about one field.',
    ],
    message: ['String!', 'Human-readable text in English.'],
    retryAfter: ['Int', 'Seconds to wait before a retry; null unless `code` is RATE_LIMITED.'],
  })),
});

/** Payload of a mutation that failed with an expected error. */
class FailedPayload {
  readonly error: AppError;
  readonly errors: readonly UserError[];
  constructor(error: AppError, ctx: Context) {
    this.error = error;
    const retryAfter = retryAfterOf(error, ctx);
    this.errors =
      error.details.length > 0
        ? error.details.map(({ field, error: code, message }) => ({
            code,
            field: field || null,
            message,
            retryAfter,
          }))
        : [{ code: error.code, field: null, message: error.message, retryAfter }];
  }
}

type Field = GraphQLField<unknown, Context>;

export function addPayloadErrors(schema: GraphQLSchema): GraphQLSchema {
  const payloads = new Set<GraphQLObjectType>();
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const type = getNullableType(field.type);
      if (!isObjectType(type) || !(root === schema.getMutationType() || type.name.endsWith('Payload')))
        continue;
      payloads.add(type);
      field.resolve = returnErrors(field.resolve as NonNullable<Field['resolve']>) as never;
    }
  const userError = getNamedType(schema.getType('UserError')) as GraphQLObjectType;
  for (const payload of payloads) addFields(payload, userError);
  return schema;
}

const returnErrors =
  (resolve: NonNullable<Field['resolve']>): NonNullable<Field['resolve']> =>
  async (root, args, ctx, info) => {
    try {
      return await resolve(root, args, ctx, info);
    } catch (error) {
      if (error instanceof AppError && isExpected(error.code) && selectsErrors(info))
        return new FailedPayload(error, ctx);
      throw error;
    }
  };

function selectsErrors({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
  const selects = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (
        getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true ||
        getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if === false
      )
        return false;
      if (selection.kind === Kind.FIELD) return selection.name.value === 'errors';
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      return fragment !== undefined && selects(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && selects(selectionSet));
}

/** All other fields keep their type: in a failed payload they fail with the error of the mutation. */
function addFields(payload: GraphQLObjectType, userError: GraphQLObjectType): void {
  const fields = payload.getFields();
  for (const field of Object.values(fields)) {
    const { resolve, name } = field;
    field.resolve = (parent, args, ctx, info) => {
      if (parent instanceof FailedPayload) throw parent.error;
      return resolve ? resolve(parent, args, ctx, info) : (parent as Record<string, unknown>)[name];
    };
  }
  const common = { args: [], deprecationReason: undefined, extensions: {}, astNode: undefined };
  fields.errors = {
    name: 'errors',
    description:
      'Expected errors; empty on success. A document that selects it gets them here instead of in the `errors` of the response.',
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(userError))),
    resolve: (parent) => (parent instanceof FailedPayload ? parent.errors : []),
    ...common,
  };
  fields.result = {
    name: 'result',
    description:
      'The same payload; null if `errors` is not empty. Next to `errors`, select the other fields in it.',
    type: payload,
    resolve: (parent) => (parent instanceof FailedPayload ? null : parent),
    ...common,
  };
}

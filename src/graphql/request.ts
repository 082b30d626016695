/** What both GraphQL lanes do with a document and its variables. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from '../context.ts';
import { type AppError, type ErrorDetail, httpStatus } from '../errors.ts';
import type { Text } from '../lib/kept.ts';
import { coerceVariables } from './coerce.ts';
import type { Operation, Variables } from './executor.ts';
import { maskError } from './masking.ts';
import { answerOf } from './pieces.ts';

/** Statuses of the GraphQL-over-HTTP specification: they apply to `application/graphql-response+json` only. */
const badRequest = { http: { status: 400, spec: true } };

export const requestError = (message: string, details: readonly ErrorDetail[] = []) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', details, ...badRequest } });

/** What went wrong before any operation began, with the status REST would give it. */
export const requestFailure = ({ code, message, details }: AppError) =>
  new GraphQLError(message, { extensions: { code, details, http: { status: httpStatus[code] } } });

/** A document's own faults, as both lanes show them. */
export const documentErrors = (errors: readonly GraphQLError[]): GraphQLError[] =>
  errors.map(
    (error) =>
      new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        source: error.source,
        positions: error.positions,
        extensions: { code: 'BAD_REQUEST', details: [], ...badRequest },
      }),
  );

export async function runOperation(
  operation: Operation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const { variables, issues } = coerceVariables(operation.variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) {
    const error = new GraphQLError('The variables are not valid.', {
      extensions: { code: 'VALIDATION_FAILED', details: issues, ...badRequest },
    });
    return { errors: [error] };
  }
  const result = await operation.run(variables, ctx);
  if (!result.errors) return result;
  const source = operation.document.loc?.source;
  return { ...result, errors: result.errors.map((error) => maskError(error, ctx, source)) };
}

/** The answer put together from texts that were made before. Undefined: run the operation, also for what went wrong here. */
export async function answerFromTexts(
  { pieces, variableTypes }: Operation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<Text | undefined> {
  if (!pieces) return undefined;
  const { variables, issues } = coerceVariables(variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) return undefined;
  try {
    return answerOf(pieces, await pieces.ask(variables, ctx));
  } catch {
    return undefined;
  }
}

export const unknownOperation = (name: string | null | undefined) =>
  requestError(
    name
      ? `The document has no operation named "${name}".`
      : 'Say which operation to run: send operationName.',
  );

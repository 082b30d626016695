/** What both GraphQL lanes do with a document and its variables. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from '../context.ts';
import { AppError, type ErrorDetail, toldDetails } from '../errors.ts';
import { isAnswerTooLarge } from '../lib/answer-json.ts';
import { isTimeout } from '../lib/deadline.ts';
import type { Text } from '../lib/kept.ts';
import { fieldUse } from '../ports/usage.ts';
import { coerceVariables, type Variables } from './coerce.ts';
import type { Operation } from './executable.ts';
import type { Executor } from './executor.ts';
import { maskError } from './masking.ts';
import { answerOf } from './pieces.ts';
import { coerceOnce } from './questions.ts';
import { badRequest, requestFailure } from './request-errors.ts';
import type { Documents } from './trusted.ts';

export interface Caller {
  /** Names the request in logs and in errors. */
  requestId: string;
  /** The network address that the document came from. */
  address: string;
  createContext(): Promise<Context>;
}

/** Registered documents are ours; of others, a caller may have only so many kept. */
export const prepareFor = (executor: Executor, documents: Documents, source: string, address: string) =>
  executor.prepare(source, documents.isRegistered(source) ? undefined : address);

/** Counts the call for whoever makes it, in the books of usage. */
export function noteUse(operation: Operation, values: Variables | null | undefined, ctx: Context): void {
  const variables = values ?? {};
  const businessesOf = () => operation.businessesOf(variables);
  const use = operation.use();
  ctx.usage.note(ctx, use, businessesOf);
  // What stands in the document is counted with it.
  for (const coordinate of operation.deprecatedIn(variables))
    if (!use.fields.includes(coordinate)) ctx.usage.note(ctx, fieldUse(coordinate), businessesOf);
}

export async function runOperation(
  operation: Operation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const result = await runCoerced(operation, values, ctx);
  if (result.errors) noteFailure(operation, result.errors, ctx);
  return result;
}

/** Callers make up the names of their operations: no more of one is kept than tells them apart. */
function noteFailure(
  { name }: Operation,
  errors: readonly GraphQLError[],
  { log, request, viewer: { user } }: Context,
): void {
  log.info(
    {
      requestId: request.requestId,
      operation: name.slice(0, 100),
      code: [...new Set(errors.map(({ extensions }) => extensions.code))].join(' '),
      caller: user?.userId ?? 'nobody',
      ...(user?.keyId === undefined ? {} : { keyId: user.keyId }),
    },
    'operation failed',
  );
}

async function runCoerced(
  operation: Operation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const { variables, issues } = coerceVariables(operation.variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) {
    const details = await faultsOf(operation, variables, issues, ctx);
    const error = new GraphQLError('The variables are not valid.', {
      extensions: { code: 'VALIDATION_FAILED', details, ...badRequest },
    });
    return { errors: [error] };
  }
  const result = await runInTime(operation, variables, ctx);
  if (!result.errors) return result;
  const source = operation.document.loc?.source;
  return { ...result, errors: result.errors.map((error) => maskError(error, ctx, source)) };
}

/** Faults of type, and beside them what the rules say of the other fields; the latter only to those who may ask. */
async function faultsOf(
  operation: Operation,
  variables: Variables,
  issues: readonly ErrorDetail[],
  ctx: Context,
): Promise<readonly ErrorDetail[]> {
  try {
    return await operation.refuse(variables, issues, ctx);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The first ones are those that were known, by other names.
    return toldDetails([...issues, ...error.details.slice(issues.length)]);
  }
}

async function runInTime(operation: Operation, variables: Variables, ctx: Context): Promise<ExecutionResult> {
  try {
    return await operation.run(variables, ctx);
  } catch (error) {
    if (error instanceof AppError) return { errors: [requestFailure(error)] };
    throw error;
  }
}

/** The answer put together from texts that were made before. Undefined: run the operation, also for what went wrong here. */
export async function answerFromTexts(
  operation: Operation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<Text | undefined> {
  const pieces = operation.pieces();
  if (!pieces) return undefined;
  const { variables, issues } = coerceOnce(operation.variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) return undefined;
  try {
    return answerOf(pieces, await pieces.ask(variables, ctx));
  } catch (error) {
    if (isTimeout(error) || isAnswerTooLarge(error)) throw error;
    return undefined;
  }
}

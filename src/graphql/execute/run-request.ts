/** What both GraphQL lanes do with a document and its variables. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from '../../context.ts';
import { AppError, type ErrorDetail, truncateDetails } from '../../errors.ts';
import { isTimeoutError } from '../../lib/async/deadline.ts';
import type { RenderedBody } from '../../lib/cache/record-cache.ts';
import { isResponseTooLarge } from '../../lib/json/response-json.ts';
import { fieldUsage } from '../../ports/usage.ts';
import { renderResponse } from '../fast/render-plan.ts';
import { coerceVariablesOnce } from '../fast/request-memo.ts';
import type { DocumentRegistry } from '../http/trusted-documents.ts';
import { coerceVariables, type Variables } from './coerce-variables.ts';
import type { Executor } from './executor.ts';
import { maskError } from './mask-errors.ts';
import type { PreparedOperation } from './prepared-document.ts';
import { specBadRequest, toGraphqlError } from './request-errors.ts';

export interface GraphqlCaller {
  /** Names the request in logs and in errors. */
  requestId: string;
  /** The network address that the document came from. */
  address: string;
  createContext(): Promise<Context>;
}

/** Registered documents are ours; of others, a caller may have only so many kept. */
export const prepareDocument = (
  executor: Executor,
  documents: DocumentRegistry,
  source: string,
  address: string,
) => executor.prepare(source, documents.isRegistered(source) ? undefined : address);

/** Counts the call for whoever makes it, in the books of usage. */
export function recordUsage(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
): void {
  const variables = values ?? {};
  const businessesOf = () => operation.businessIds(variables);
  const use = operation.schemaUsage();
  ctx.usage.record(ctx, use, businessesOf);
  // What stands in the document is counted with it.
  for (const coordinate of operation.deprecatedUses(variables))
    if (!use.fields.includes(coordinate)) ctx.usage.record(ctx, fieldUsage(coordinate), businessesOf);
}

export async function runOperation(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const result = await runCoerced(operation, values, ctx);
  if (result.errors) noteFailure(operation, result.errors, ctx);
  return result;
}

/** Callers make up the names of their operations: no more of one is kept than tells them apart. */
function noteFailure(
  { name }: PreparedOperation,
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
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const { variables, issues } = coerceVariables(operation.variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) {
    const details = await faultsOf(operation, variables, issues, ctx);
    const error = new GraphQLError('The variables are not valid.', {
      extensions: { code: 'VALIDATION_FAILED', details, ...specBadRequest },
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
  operation: PreparedOperation,
  variables: Variables,
  issues: readonly ErrorDetail[],
  ctx: Context,
): Promise<readonly ErrorDetail[]> {
  try {
    return await operation.rejectInvalid(variables, issues, ctx);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The first ones are those that were known, by other names.
    return truncateDetails([...issues, ...error.details.slice(issues.length)]);
  }
}

async function runInTime(
  operation: PreparedOperation,
  variables: Variables,
  ctx: Context,
): Promise<ExecutionResult> {
  try {
    return await operation.run(variables, ctx);
  } catch (error) {
    if (error instanceof AppError) return { errors: [toGraphqlError(error)] };
    throw error;
  }
}

/** The answer put together from texts that were made before. Undefined: run the operation, also for what went wrong here. */
export async function respondFromRenderPlan(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<RenderedBody | undefined> {
  const pieces = operation.renderPlan();
  if (!pieces) return undefined;
  const { variables, issues } = coerceVariablesOnce(operation.variableTypes, values ?? {}, { strict: true });
  if (issues.length > 0) return undefined;
  try {
    return renderResponse(pieces, await pieces.ask(variables, ctx));
  } catch (error) {
    if (isTimeoutError(error) || isResponseTooLarge(error)) throw error;
    return undefined;
  }
}

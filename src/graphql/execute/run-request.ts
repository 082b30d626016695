/** Runs a GraphQL request after its document is resolved: usage, variables, execution, errors. Shared by Yoga and the fast HTTP handler. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Context, RequestFacts } from '../../context.ts';
import { AppError, type ErrorDetail, truncateErrorDetails } from '../../errors.ts';
import { coerceVariables, graphqlCoercionRules, type Variables } from './coerce-variables.ts';
import { maskError } from './mask-errors.ts';
import type { RunCoercedOperation } from './operation-compiler-types.ts';
import type { PreparedOperation } from './prepared-document-types.ts';
import { appErrorToGraphqlError, graphqlValidationError } from './request-errors.ts';

export interface GraphqlRequestSource {
  /** Identifies the request in logs and errors. */
  requestId: string;
  /** Network address of the client. */
  address: string;
  measuredTime: RequestFacts['measuredTime'];
  createContext(): Promise<Context>;
  readonly incremental: IncrementalDelivery;
}

export interface IncrementalDelivery {
  /** Whether the client accepts results in parts. */
  isAccepted: boolean;
  /** Whether parts are announced by `pending`, as in the current proposal; otherwise each part has its path, as in that of 2022-08-24. */
  announcesParts: boolean;
  /** Set for a response that is sent while its operation is executed: resolves at the end of the execution. */
  executed: Promise<void> | undefined;
}

export async function runOperation(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
): Promise<ExecutionResult> {
  const result = await coerceVariablesAndRun(operation, values, ctx, operation.run);
  if (!result.errors) operation.recordPublicRead(values ?? {}, ctx);
  return result;
}

/** Coerces the variables, calls `run`, and masks and logs errors. */
export async function coerceVariablesAndRun(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
  run: RunCoercedOperation,
): Promise<ExecutionResult> {
  const result = await runCoerced(operation, values, ctx, run);
  if (result.errors) reportFailure(operation, result.errors, ctx);
  return result;
}

/** Clients choose the operation name, so it is truncated to 100 characters. */
function reportFailure(
  { name }: PreparedOperation,
  errors: readonly GraphQLError[],
  { log, request, viewer: { user } }: Context,
): void {
  request.observed.code ??= String(errors[0]?.extensions.code);
  log.info(
    {
      requestId: request.requestId,
      operation: name.slice(0, 100),
      code: [...new Set(errors.map(({ extensions }) => extensions.code))].join(' '),
      caller: user?.userId ?? 'anonymous',
      ...(user?.keyId === undefined ? {} : { keyId: user.keyId }),
    },
    'operation failed',
  );
}

async function runCoerced(
  operation: PreparedOperation,
  values: Variables | null | undefined,
  ctx: Context,
  run: RunCoercedOperation,
): Promise<ExecutionResult> {
  const { variables, issues } = coerceVariables(operation.variableTypes, values ?? {}, graphqlCoercionRules);
  if (issues.length > 0) {
    const details = await collectErrors(operation, variables, issues, ctx);
    return { errors: [graphqlValidationError('The variables are not valid.', details)] };
  }
  const result = await runCatchingErrors(run, variables, ctx);
  if (!result.errors) return result;
  const source = operation.document.loc?.source;
  return { ...result, errors: result.errors.map((error) => maskError(error, ctx, source)) };
}

/** Type errors of the variables and, if the viewer passes the scopes, validation errors of the other fields. */
async function collectErrors(
  operation: PreparedOperation,
  variables: Variables,
  issues: readonly ErrorDetail[],
  ctx: Context,
): Promise<readonly ErrorDetail[]> {
  try {
    return await operation.rejectInvalid(variables, issues, ctx);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The first details repeat `issues` with argument paths instead of variable names.
    return truncateErrorDetails([...issues, ...error.details.slice(issues.length)]);
  }
}

async function runCatchingErrors(
  run: RunCoercedOperation,
  variables: Variables,
  ctx: Context,
): Promise<ExecutionResult> {
  try {
    return await run(variables, ctx);
  } catch (error) {
    if (error instanceof AppError) return { errors: [appErrorToGraphqlError(error)] };
    throw error;
  }
}

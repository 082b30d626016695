/** Types of prepared documents and operations, as created by the document preparer. */
import type { DocumentNode, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Context, RequestFacts } from '../../context.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { UsageSubject } from '../../ports/usage.ts';
import type { RecordStorefrontRead } from '../schema/storefront-surrogate-keys.ts';
import type { Variables, VariableTypes } from './coerce-variables.ts';
import type { IncrementalExecution } from './incremental/execute-incrementally.ts';
import type { RenderPlan, RunCoercedOperation } from './operation-compiler-types.ts';

type RunIncrementally = (variables: Variables, ctx: Context) => Promise<IncrementalExecution>;

/** One operation of a document, prepared for repeated runs. */
export interface PreparedOperation {
  readonly name: string;
  readonly kind: OperationDefinitionNode['operation'];
  readonly variableTypes: VariableTypes;
  /** Runs with variables returned by `coerceVariables`. Errors are not masked: the caller has to mask them. */
  run: RunCoercedOperation;
  /** Runs with @defer and @stream; undefined for operations without them, for mutations, subscriptions and introspection. */
  runIncrementally: RunIncrementally | undefined;
  /** Throws the error for invalid variables in the order of a resolver: UNAUTHENTICATED, then FORBIDDEN, then validation errors. */
  rejectInvalid(variables: Variables, issues: readonly ErrorDetail[], ctx: Context): Promise<never>;
  readonly document: DocumentNode;
  /** Schema coordinates that the operation uses. */
  schemaUsage(): UsageSubject;
  /** Deprecated coordinates used with these variables: root fields, their arguments and input fields. */
  deprecatedUses(variables: Variables): readonly string[];
  /** Notes the operation for the request log, and its uses, with deprecated fields in its variables, for the usage statistics. */
  observe(variables: Variables, request: RequestFacts): void;
  /** Ids of the businesses in the arguments of the root fields. */
  businessIds(variables: Variables): ReadonlySet<unknown>;
  /** Records the surrogate keys of a successful response to an anonymous viewer. */
  recordPublicRead: RecordStorefrontRead;
  /** PERF: render plan of the response; undefined before the third request, if the operation has to be executed, and with FAST_PATH=off. */
  renderPlan(): RenderPlan | undefined;
}

export interface PreparedDocument {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
  /** Undefined if there is no operation of this name, or if the name is missing and the document has several operations. */
  operation(name: string | null | undefined): PreparedOperation | undefined;
}

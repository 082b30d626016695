/** What the executor makes of a document: operations that are ready to run. */
import type { DocumentNode, ExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Context } from '../../context.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { UsageSubject } from '../../ports/usage.ts';
import type { RenderPlan } from '../fast/render-plan.ts';
import type { Variables, VariableTypes } from './coerce-variables.ts';

/** One operation of a document, ready to run any number of times. */
export interface PreparedOperation {
  readonly name: string;
  readonly kind: OperationDefinitionNode['operation'];
  readonly variableTypes: VariableTypes;
  /** Runs with variables that have passed `coerceVariables`. Errors are raw: callers mask them. */
  run(variables: Variables, ctx: Context): Promise<ExecutionResult> | ExecutionResult;
  /** Refuses faulty variables, in the order a resolver would: sign in first, permission next, faults last. */
  rejectInvalid(variables: Variables, issues: readonly ErrorDetail[], ctx: Context): Promise<never>;
  readonly document: DocumentNode;
  /** What it uses of the schema. */
  schemaUsage(): UsageSubject;
  /** Coordinates of what is on its way out and used with these variables, by its root fields and in what they are sent. */
  deprecatedUses(variables: Variables): readonly string[];
  /** The business it names. */
  businessIds(variables: Variables): ReadonlySet<unknown>;
  /** What its answer can be put together from; undefined while it is run seldom, or when it has to be executed every time. */
  renderPlan(): RenderPlan | undefined;
}

export interface PreparedDocument {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
  /** Undefined when the name is unknown, or missing while the document has several operations. */
  operation(name: string | null | undefined): PreparedOperation | undefined;
}

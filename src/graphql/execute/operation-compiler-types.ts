/** Interfaces of compiled operations. `src/graphql/fast` implements them; without a compiler graphql-js runs every operation. */
import type { DocumentNode, ExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Context } from '../../context.ts';
import type { Variables } from './coerce-variables.ts';

export interface ParsedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
}

/** Runs an operation with variables that `coerceVariables` returned. */
export type RunCoercedOperation = (
  variables: Variables,
  ctx: Context,
) => Promise<ExecutionResult> | ExecutionResult;

export interface OperationCompiler {
  /** Called once for the schema. */
  prepareSchema(schema: GraphQLSchema): void;
  /** Whether a compiled run has the same result as graphql-js; `fields` counts the fields with fragments expanded. */
  supports(document: DocumentNode, fields: number): boolean;
  /** Undefined: the operation has to be interpreted. */
  createRunner(operation: ParsedOperation): RunCoercedOperation | undefined;
  /** Undefined: the operation has to be executed. */
  createRenderPlan(operation: ParsedOperation): RenderPlan | undefined;
}

/** Returns a JSON value without its nulls; `key` is the response key of its field. */
export type RemoveNulls = (key: string, json: unknown) => unknown;

/**
 * Writes a record as the JSON that an execution would return, with `removeNulls` without nulls in its objects. Throws for a value on which
 * an execution would report an error, and ANSWER_TOO_LARGE.
 */
export type JsonWriter = (value: unknown, removeNulls?: RemoveNulls) => string;

interface RootPlan {
  /** Response key of the root field. */
  readonly key: string;
  /** JSON before the value of the root field. */
  readonly head: string;
  /** Whether the root field may be null. */
  readonly nullable: boolean;
  /** Value of the root field; throws its error. */
  resolveRoot(variables: Variables, ctx: Context): Promise<object | null | undefined>;
}

export interface RecordRenderPlan extends RootPlan {
  readonly kind: 'record';
  readonly writeRecord: JsonWriter;
  /** Value of the response key `version`, if it is selected. */
  versionOf(record: unknown): unknown;
}

export interface PageRenderPlan extends RootPlan {
  readonly kind: 'page';
  /** Selected fields of the connection, in order. */
  readonly fields: readonly {
    readonly key: string;
    /** JSON before the value of the field. */
    readonly head: Buffer;
    /** Set for `nodes`, whose items are rendered one by one. */
    readonly writeNode?: JsonWriter;
    writePage(page: unknown): string;
  }[];
}

/** Writes the response of a query as JSON text from cached records, without executing its fields. */
export type RenderPlan = RecordRenderPlan | PageRenderPlan;

/** Runs a request compiled and interpreted, and returns both results as clients would receive them. */
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { pino } from 'pino';
import type { Context } from '../../../src/context.ts';
import {
  coerceVariables,
  getDeclaredVariableTypes,
  graphqlCoercionRules,
} from '../../../src/graphql/execute/coerce-variables.ts';
import { maskError } from '../../../src/graphql/execute/mask-errors.ts';
import { createInterpretedRunner } from '../../../src/graphql/execute/run-with-graphql-js.ts';
import { isJitSafe } from '../../../src/graphql/fast/jit-safety.ts';
import { createJitRunner } from '../../../src/graphql/fast/run-with-graphql-jit.ts';
import type { RandomRequest } from './documents.ts';
import type { Failing } from './schema.ts';

const log = pino({ level: 'silent' });

export interface Results {
  interpreted: string;
  compiled: string;
}

export type Outcome = 'same' | 'interpreted' | 'invalid' | Results;

export const isValid = (schema: GraphQLSchema, { query, variables }: RandomRequest): boolean => {
  const document = parse(query);
  const node = getOperationAST(document);
  if (!node || validate(schema, document).length > 0) return false;
  return (
    coerceVariables(getDeclaredVariableTypes(schema, node), variables, graphqlCoercionRules).issues.length ===
    0
  );
};

/** Validation takes as long as execution, so only requests with different results or a thrown error are validated. */
export async function outcomeOf(
  schema: GraphQLSchema,
  request: RandomRequest,
  failing: Failing,
): Promise<Outcome> {
  const document = parse(request.query);
  const node = getOperationAST(document);
  if (!node) return 'invalid';
  if (!isJitSafe(document, 0)) return 'interpreted';
  const { variables, issues } = coerceVariables(
    getDeclaredVariableTypes(schema, node),
    request.variables,
    graphqlCoercionRules,
  );
  if (issues.length > 0) return 'invalid';
  const ctx = { log, request: { requestId: '' }, failing } as unknown as Context;
  const operation = { schema, document, node };
  try {
    const compiled = createJitRunner(operation);
    if (!compiled) return 'interpreted';
    const results = {
      interpreted: await serialize(createInterpretedRunner(operation)(variables, ctx), ctx, document),
      compiled: await serialize(compiled(variables, ctx), ctx, document),
    };
    if (results.interpreted === results.compiled) return 'same';
    return isValid(schema, request) ? results : 'invalid';
  } catch (error) {
    if (isValid(schema, request)) throw error;
    return 'invalid';
  }
}

async function serialize(
  execution: ExecutionResult | Promise<ExecutionResult>,
  ctx: Context,
  document: DocumentNode,
): Promise<string> {
  const { errors, ...result } = await execution;
  return JSON.stringify({
    ...result,
    errors: errors?.map((error) => maskError(error, ctx, document.loc?.source)),
  });
}

/** Runs a request compiled and interpreted, and shows both answers as callers would get them. */
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
import { coerceVariables, declaredVariableTypes } from '../../../src/graphql/execute/coerce-variables.ts';
import { maskError } from '../../../src/graphql/execute/mask-errors.ts';
import { createCompiledRun, createInterpretedRun } from '../../../src/graphql/execute/operation.ts';
import { isJitSafe } from '../../../src/graphql/fast/jit-safety.ts';
import type { RandomRequest } from './documents.ts';
import type { Failing } from './schema.ts';

const log = pino({ level: 'silent' });

export interface Answers {
  interpreted: string;
  compiled: string;
}

export type Outcome = 'same' | 'interpreted' | 'invalid' | Answers;

export const isValid = (schema: GraphQLSchema, { query, variables }: RandomRequest): boolean => {
  const document = parse(query);
  const node = getOperationAST(document);
  if (!node || validate(schema, document).length > 0) return false;
  return (
    coerceVariables(declaredVariableTypes(schema, node), variables, { strict: true }).issues.length === 0
  );
};

/** Validating takes as long as running: only requests that are answered differently, or not at all, are asked whether they are valid. */
export async function outcomeOf(
  schema: GraphQLSchema,
  request: RandomRequest,
  failing: Failing,
): Promise<Outcome> {
  const document = parse(request.query);
  const node = getOperationAST(document);
  if (!node) return 'invalid';
  if (!isJitSafe(document, 0)) return 'interpreted';
  const { variables, issues } = coerceVariables(declaredVariableTypes(schema, node), request.variables, {
    strict: true,
  });
  if (issues.length > 0) return 'invalid';
  const ctx = { log, request: { requestId: '' }, failing } as unknown as Context;
  const parts = { schema, document, node };
  try {
    const compiled = createCompiledRun(parts);
    if (!compiled) return 'interpreted';
    const answers = {
      interpreted: await shown(createInterpretedRun(parts)(variables, ctx), ctx, document),
      compiled: await shown(compiled(variables, ctx), ctx, document),
    };
    if (answers.interpreted === answers.compiled) return 'same';
    return isValid(schema, request) ? answers : 'invalid';
  } catch (error) {
    if (isValid(schema, request)) throw error;
    return 'invalid';
  }
}

async function shown(
  running: ExecutionResult | Promise<ExecutionResult>,
  ctx: Context,
  document: DocumentNode,
): Promise<string> {
  const { errors, ...result } = await running;
  return JSON.stringify({
    ...result,
    errors: errors?.map((error) => maskError(error, ctx, document.loc?.source)),
  });
}

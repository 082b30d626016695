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
import { coerceVariables, variableTypes } from '../../../src/graphql/coerce.ts';
import { compilesFaithfully } from '../../../src/graphql/faithful.ts';
import { maskError } from '../../../src/graphql/masking.ts';
import { compile, interpret } from '../../../src/graphql/operation.ts';
import type { RandomRequest } from './documents.ts';
import type { Failing } from './schema.ts';

const log = pino({ level: 'silent' });

export interface Answers {
  interpreted: string;
  /** Undefined: not to be compiled. */
  compiled: string | undefined;
}

/** Undefined: not a valid request. */
export async function answersTo(
  schema: GraphQLSchema,
  { query, variables }: RandomRequest,
  failing: Failing,
  operationName?: string,
): Promise<Answers | undefined> {
  const document = parse(query);
  if (validate(schema, document).length > 0) return undefined;
  const node = getOperationAST(document, operationName);
  if (!node) return undefined;
  const coerced = coerceVariables(variableTypes(schema, node), variables, { strict: true });
  if (coerced.issues.length > 0) return undefined;
  const ctx = { log, request: { requestId: '' }, failing } as unknown as Context;
  const parts = { schema, document, node };
  const interpreted = await shown(interpret(parts)(coerced.variables, ctx), ctx, document);
  const run = compilesFaithfully(document, 0) ? compile(parts) : undefined;
  return { interpreted, compiled: run && (await shown(run(coerced.variables, ctx), ctx, document)) };
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

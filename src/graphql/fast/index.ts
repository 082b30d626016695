/**
 * Entry of the fast path, the only file of this folder that the rest of `src` imports. Everything here exists for speed only: with
 * FAST_PATH=off the document preparer has no compiler, and Yoga and graphql-js answer all requests with identical responses.
 */
import type { OperationCompiler } from '../execute/operation-compiler-types.ts';
import { isJitSafe } from './jit-safety.ts';
import { enableReplayOfRootResults } from './recorded-root-results.ts';
import { createRenderPlan } from './render-plan.ts';
import { createJitRunner } from './run-with-graphql-jit.ts';

export { createFastGraphqlHandler } from './http-handler.ts';

export const operationCompiler: OperationCompiler = {
  prepareSchema: enableReplayOfRootResults,
  supports: isJitSafe,
  createRunner: createJitRunner,
  createRenderPlan,
};

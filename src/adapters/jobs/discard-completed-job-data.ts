/** Deletes the data of completed jobs in the statement that completes them, for queues with `discardData`. */
import type { JobDefinition } from '../../ports/jobs.ts';
import { addDataDiscardToCompletionSql } from '../../vendor/pg-boss/job-tables.ts';

/** Returns the statement to run instead of `text`. The first parameter of a completion is the name of the queue. */
export function createCompletionStatementRewriter(
  jobs: readonly Pick<JobDefinition<never>, 'name' | 'policy'>[],
) {
  const queues = new Set(jobs.flatMap(({ name, policy }) => (policy.discardData ? [name] : [])));
  return (text: string, values: readonly unknown[] = []): string =>
    queues.has(String(values[0])) ? (addDataDiscardToCompletionSql(text) ?? text) : text;
}

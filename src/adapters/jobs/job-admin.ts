/** Job administration: queue counts, permanently failed jobs, retry and drop. */
import type { QueryHandle } from '../../db/handles.ts';
import type { FailedJob, JobAdmin, QueueState } from '../../ports/jobs.ts';
import { changeJobs, jobReports } from '../../vendor/pg-boss/job-tables.ts';

export const createJobAdmin = (queries: QueryHandle): JobAdmin => ({
  states: () => jobReports.readQueueStates<QueueState>(queries),
  listFailed: (limit) => jobReports.readFailedJobs<FailedJob>(queries, limit),
  retry: async (id) => uuid.test(id) && (await changeJobs(queries, 'retryFailed', [id])) > 0,
  drop: async (id) => uuid.test(id) && (await changeJobs(queries, 'dropFailed', [id])) > 0,
});

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** All background jobs of the gateway: those of the domains, the mail job that domains share, and those of the platform. */
import type { Services } from '../context.ts';
import { sendMailJob } from '../domains/shared/queue-mail.ts';
import { jobs } from '../generated/domains/jobs.ts';
import type { JobDefinition } from '../ports/jobs.ts';
import { retentionJob } from './retention-job.ts';
import { edgeCachePurgeJob } from './send-edge-cache-purges.ts';

export const allJobs: readonly JobDefinition<Services>[] = [
  ...jobs,
  sendMailJob,
  edgeCachePurgeJob,
  retentionJob,
];

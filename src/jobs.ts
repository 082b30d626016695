/** Every job of the gateway: those of the domains, and the mails that all of them send. */
import type { Services } from './context.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import { jobs } from './generated/domains/jobs.ts';
import type { Job } from './ports/jobs.ts';
import { retentionJob } from './retention.ts';

export const allJobs: readonly Job<Services>[] = [...jobs, mailJob, retentionJob];

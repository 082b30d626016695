/** Every job of the gateway: each domain declares its own. */
import { resumeJob, sendJob } from './domains/newsletter/jobs.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import type { Services } from './graphql/context.ts';
import type { JobHandler } from './ports/jobs.ts';

export const jobHandlers = [mailJob, sendJob, resumeJob] as readonly JobHandler<Services>[];

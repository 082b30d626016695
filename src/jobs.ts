/** Every job of the gateway: each domain declares its own. */

import type { Services } from './context.ts';
import { checkoutJobs } from './domains/checkout/jobs.ts';
import { resumeJob, sendJob } from './domains/newsletter/jobs.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import { userJobs } from './domains/users/jobs.ts';
import { webhookJobs } from './domains/webhooks/jobs.ts';
import type { JobHandler } from './ports/jobs.ts';

export const jobHandlers = [
  ...userJobs,
  ...checkoutJobs,
  sendJob,
  resumeJob,
  mailJob,
  ...webhookJobs,
] as unknown as readonly JobHandler<Services>[];

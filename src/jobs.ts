/** Every job of the gateway: each domain declares its own. */

import type { Services } from './context.ts';
import { jobs as newsletter } from './domains/newsletter/jobs.ts';
import { jobs as orders } from './domains/orders/jobs.ts';
import { jobs as payments } from './domains/payments/jobs.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import { jobs as users } from './domains/users/jobs.ts';
import { jobs as webhooks } from './domains/webhooks/jobs.ts';
import type { Job } from './ports/jobs.ts';

export const allJobs: readonly Job<Services>[] = [
  ...users,
  ...payments,
  ...orders,
  ...newsletter,
  mailJob,
  ...webhooks,
];

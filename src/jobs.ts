/** Every job of the gateway: each domain declares its own. */

import type { Services } from './context.ts';
import { jobs as checkout } from './domains/checkout/jobs.ts';
import { jobs as newsletter } from './domains/newsletter/jobs.ts';
import { jobs as orders } from './domains/orders/jobs.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import { jobs as users } from './domains/users/jobs.ts';
import { jobs as webhooks } from './domains/webhooks/jobs.ts';
import type { Job } from './ports/jobs.ts';

export const allJobs: readonly Job<Services>[] = [
  ...users,
  ...checkout,
  ...orders,
  ...newsletter,
  mailJob,
  ...webhooks,
];

/** Every job of the gateway: each domain declares its own. */
import { lowStockJob } from './domains/orders/low-stock.ts';
import { mailJob } from './domains/shared/queue-mail.ts';
import type { Services } from './graphql/context.ts';
import type { JobHandler } from './ports/jobs.ts';

export const jobHandlers = [mailJob, lowStockJob] as readonly JobHandler<Services>[];

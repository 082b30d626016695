/** Job that bills renewals of the sandbox payment provider. */
import type { Services } from '../../context.ts';
import { defineJob, noJobDataSchema } from '../../ports/jobs.ts';

/** Bills due renewals of the sandbox provider every minute; real providers do this themselves. */
export const chargeSandboxRenewalsJob = defineJob(
  'bill-due',
  noJobDataSchema,
  async ({ payments }: Pick<Services, 'payments'>) => payments.createDueInvoices?.(),
  { cron: '* * * * *', retries: 0, timeout: 300 },
);

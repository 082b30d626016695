/** The clock of a provider that lives inside the gateway. */
import type { Services } from '../../context.ts';
import { defineJob, noData } from '../../ports/jobs.ts';

export const billDueJob = defineJob(
  'bill-due',
  noData,
  async ({ payments }: Pick<Services, 'payments'>) => payments.billDue?.(),
  { cron: '* * * * *', retries: 0, timeout: 300 },
);

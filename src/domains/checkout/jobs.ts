/** What checkout does in the background. */
import type { Services } from '../../context.ts';
import type { JobHandler } from '../../ports/jobs.ts';
import { type PaymentEvent, paymentEventQueue } from '../../ports/payments.ts';
import { closeSessionJob } from '../orders/cancel.ts';
import { lowStockJob } from '../orders/low-stock.ts';
import { expireOrders } from './expiry.ts';
import { receiveEvent } from './payment-events.ts';
import { settleRefundJob } from './refunds.ts';

const expireOrdersJob: JobHandler<Services> = {
  name: 'expire-orders',
  policy: { cron: '* * * * *', retries: 0, timeout: 300 },
  async run(services) {
    const ended = await expireOrders(services);
    if (ended > 0) services.log.info({ ended }, 'unpaid orders cancelled');
  },
};

/** Events of a provider that lives inside the gateway: should the one who made them not live to deliver them. */
const paymentEventJob: JobHandler<Services, PaymentEvent> = {
  name: paymentEventQueue,
  run: receiveEvent,
};

export const checkoutJobs = [
  expireOrdersJob,
  paymentEventJob,
  settleRefundJob,
  closeSessionJob,
  lowStockJob,
] as readonly JobHandler<Services>[];

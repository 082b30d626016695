/** Seeds payments of the demo shop on the sandbox provider: a paid order with a failed refund, and two paid newsletter subscriptions. */
import {
  buildSandboxPaymentIdOfSession,
  buildSandboxSubscriptionIdOfSession,
} from '../adapters/payments/sandbox-subscriptions.ts';
import type { QueryHandle } from '../db/handles.ts';
import { buildPaymentReference } from '../domains/payments/model.ts';
import { addBillingIntervals, type BillingInterval } from '../lib/commerce/billing-intervals.ts';
import { now } from '../lib/time.ts';
import { demoContentIds } from './content-data.ts';
import { createDemoStatusHistory, demoCoffeeOrder } from './orders.ts';
import { buildSeedId, demoShopIdsAndLogins, disposableRecordIds } from './shop-data.ts';

const { businessId } = demoShopIdsAndLogins;
const currency = 'USD';

interface Payment {
  kind: 'order' | 'subscription';
  subjectId: string;
  attemptId: string;
  sessionId: string;
  title: string;
  amount: number;
  item?: string;
  interval?: BillingInterval;
  /** Refunds as the sandbox stores them: amount by reference. */
  refunds?: Record<string, number>;
}

export async function seedPayments(queries: QueryHandle, publicUrl: string): Promise<void> {
  await seedPaidOrder(queries, publicUrl);
  await seedSupporter(queries, publicUrl, {
    ...{ id: disposableRecordIds.supporterId, email: 'barista@demo.example', name: 'Demo Barista' },
    ...{ planId: 'supporter', amount: 500, interval: 'MONTHLY', cancelAtPeriodEnd: false },
  });
  await seedSupporter(queries, publicUrl, {
    ...{ id: disposableRecordIds.patronId, email: 'old@demo.example', name: 'Old Barista' },
    ...{ planId: 'patron', amount: 5000, interval: 'YEARLY', cancelAtPeriodEnd: true },
  });
}

async function seedPaidOrder(queries: QueryHandle, publicUrl: string): Promise<void> {
  const { paidOrderId: id, failedRefundId } = disposableRecordIds;
  const [sessionId, time] = ['sbx_demo-order', now()];
  const attemptId = buildSeedId(0xb, 8);
  await queries.prisma.order.create({
    data: {
      ...{ id, ...demoCoffeeOrder, captured: demoCoffeeOrder.total },
      statuses: createDemoStatusHistory(id, time, 'PENDING', 'PROCESSING'),
      paymentStatuses: createDemoStatusHistory(id, time, 'PENDING', 'PAID'),
      ...{ createdAt: time, updatedAt: time },
    },
  });
  const refund = { amount: 590, reason: 'It came late.' };
  await seedPayment(queries, publicUrl, {
    ...{ kind: 'order', subjectId: id, attemptId, sessionId, title: 'Order', amount: demoCoffeeOrder.total },
    refunds: { [`failed:${failedRefundId}`]: refund.amount },
  });
  await queries.prisma.refund.createMany({
    skipDuplicates: true,
    data: {
      ...{
        id: failedRefundId,
        attemptId,
        paymentId: buildSandboxPaymentIdOfSession(sessionId),
        ...refund,
        currency,
      },
      ...{ status: 'FAILED', providerRefundId: `re_${failedRefundId}` },
      failure: 'The bank did not take the money.',
      ...{ createdAt: time, settledAt: time },
    },
  });
  // Acknowledged by an operator, so that the demo shop has no open tasks.
  await queries.prisma.putAside.createMany({
    skipDuplicates: true,
    data: { kind: 'refund', id: failedRefundId, at: time },
  });
}

interface Supporter {
  id: string;
  email: string;
  name: string;
  planId: string;
  amount: number;
  interval: BillingInterval;
  cancelAtPeriodEnd: boolean;
}

async function seedSupporter(
  queries: QueryHandle,
  publicUrl: string,
  { id, email, name, planId, amount, interval, cancelAtPeriodEnd }: Supporter,
): Promise<void> {
  const [anchor, sessionId] = [now(), `sbx_demo-${planId}`];
  const periodEnd = addBillingIntervals(anchor, interval, 1);
  await queries.prisma.subscription.create({
    data: {
      ...{
        id,
        businessId,
        collectionId: demoContentIds.letterId,
        email,
        key: email,
        name,
        planId,
        market: 'US',
      },
      ...{
        status: 'ACTIVE',
        paymentId: buildSandboxPaymentIdOfSession(sessionId),
        recurringId: buildSandboxSubscriptionIdOfSession(sessionId),
      },
      ...{ renewalState: 'ACTIVE', currentPeriodStart: anchor, currentPeriodEnd: periodEnd },
      ...{ cancelAtPeriodEnd, checkAt: periodEnd, createdAt: anchor, updatedAt: anchor },
    },
  });
  const attemptId = id.replace('-8000-', '-8001-');
  await seedPayment(queries, publicUrl, {
    ...{ kind: 'subscription', subjectId: id, attemptId, sessionId, title: 'The Weekly Cup' },
    ...{ amount, item: planId, interval },
  });
  await queries.prisma.sandboxSubscription.createMany({
    skipDuplicates: true,
    data: {
      id: buildSandboxSubscriptionIdOfSession(sessionId),
      sessionId,
      anchor,
      cancelAtPeriodEnd,
      dueAt: periodEnd,
    },
  });
}

/** Inserts the payment attempt and the sandbox payment. Both remain when the demo business is deleted. */
async function seedPayment({ prisma }: QueryHandle, publicUrl: string, payment: Payment): Promise<void> {
  const { kind, subjectId, attemptId, sessionId, title, amount, item, interval, refunds = {} } = payment;
  const [reference, time] = [buildPaymentReference(kind, subjectId, 1), now()];
  await prisma.paymentAttempt.createMany({
    skipDuplicates: true,
    data: {
      ...{ id: attemptId, reference, kind, subjectId, number: 1, amount, currency, captured: amount },
      ...(item === undefined ? {} : { item }),
      ...{ state: 'PAID', sessionId, url: `${publicUrl}/sandbox/pay/${sessionId}` },
      ...{
        paymentId: buildSandboxPaymentIdOfSession(sessionId),
        expiresAt: time,
        createdAt: time,
        updatedAt: time,
      },
    },
  });
  const request = {
    ...{ reference, merchant: 'Demo Coffee', title, currency, amount, expiresAt: time },
    lines: [{ name: title, amount, quantity: 1 }],
    ...{ returnUrl: `${publicUrl}/checkout/thanks`, cancelUrl: `${publicUrl}/checkout/cancelled` },
    ...(interval === undefined ? {} : { interval }),
  };
  await prisma.sandboxPayment.createMany({
    skipDuplicates: true,
    data: { id: sessionId, reference, request, state: 'PAID', refunds, expiresAt: time, createdAt: time },
  });
}

/** Receives provider events: verifies the signature, stores each event once, and dispatches it to the domain of its reference. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { AppError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { type PaymentEvent, paymentEventSchema } from '../../ports/payments.ts';
import { paymentEventTable } from './model.ts';
import { findPaymentSubjectHandler } from './payment-subject-registry.ts';
import { findRefundForEvent } from './schedule-submit-and-load-refunds.ts';
import { findPaymentEventSubject } from './stored-payment-attempts.ts';

export async function receivePaymentWebhook(
  services: Services,
  body: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await services.payments.readEvent(body, header).catch(throwUnavailable);
  if (!event) {
    throw new AppError('BAD_REQUEST', 'The signature is missing, invalid or expired.', {
      details: [
        {
          field: 'signature',
          error: 'INVALID_SIGNATURE',
          message: 'The signature does not match the event.',
        },
      ],
    });
  }
  await receivePaymentEvent(services, event);
}

function throwUnavailable(cause: unknown): never {
  throw new AppError('UNAVAILABLE', 'The payment provider is unavailable. Send the event again.', { cause });
}

export async function receivePaymentEvent(ownServices: Services, received: PaymentEvent): Promise<void> {
  const services = ownServices.servers ? await findServicesOfPayment(ownServices, received) : ownServices;
  const { provider } = services.payments;
  const event = await withCurrentRefund(services, received);
  await services.db.transaction(async (tx) => {
    const { id } = event;
    const isNew = await tx.write(
      `${paymentEventTable.insert} on conflict do nothing returning 1`,
      paymentEventTable.insertParams({ ...event, provider, receivedAt: now() }),
    );
    if (isNew.length === 0) return;
    const outcome = await applyPaymentEvent(services, tx, event);
    await tx.write('update payment_events set outcome = $3 where provider = $1 and id = $2', [
      provider,
      id,
      outcome,
    ]);
  });
}

/** Several servers: the one with the attempt of the payment, otherwise that of `services`. Two have it while its business is being moved. */
async function findServicesOfPayment(
  services: Services,
  { reference, paymentId }: PaymentEvent,
): Promise<Services> {
  const params = [reference?.split('#')[0] ?? null, paymentId ?? null];
  const found = await Promise.all(
    (services.servers?.all ?? []).map(async (server) => {
      const rows = await server.db.sql<{ businessId: string | null }>(attemptOfPaymentStatement, params);
      return rows.map(({ businessId }) => ({ server, businessId }));
    }),
  );
  const [attempt] = found.flat();
  const businessId = attempt?.businessId ?? undefined;
  if (businessId === undefined) return attempt?.server ?? services;
  return (await services.servers?.servicesOfBusiness(businessId)) ?? services;
}

const attemptOfPaymentStatement =
  'select business_id as "businessId" from payment_attempts where reference = $1 or payment_id = $2 limit 1';

/**
 * Replaces the amount by the currently refunded one of the payment: a late event carries a stale amount, and the event of a failed refund
 * only the amount of that refund.
 */
async function withCurrentRefund({ payments }: Services, event: PaymentEvent): Promise<PaymentEvent> {
  const isFailure = event.type === 'refund' && event.refund?.status === 'failed';
  if ((event.type !== 'refunded' && !isFailure) || event.paymentId === undefined) return event;
  const payment = await payments.findPayment(event.paymentId).catch(throwUnavailable);
  if (payment) return { ...event, amount: payment.refunded };
  return isFailure ? { ...event, amount: undefined } : event;
}

/** Delivers events of the sandbox provider through the queue, so that they survive a crash of the process that created them. */
export const sandboxPaymentEventJob = defineJob('payment-event', paymentEventSchema, receivePaymentEvent);

/** Returns the outcome that is stored with the event. */
export async function applyPaymentEvent(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
): Promise<string> {
  if (event.refund) {
    const existing = await findRefundForEvent(tx, event.refund);
    if (existing) {
      const { refund, kind, subjectId } = existing;
      await findPaymentSubjectHandler(kind)?.applyProviderRefund(
        services,
        tx,
        refund,
        event.refund,
        subjectId,
      );
      return `refund ${event.refund.status}`;
    }
  }
  const { kind, id } = await findPaymentEventSubject(tx, event);
  return (await findPaymentSubjectHandler(kind)?.applyEvent(services, tx, event, id)) ?? 'ignored';
}

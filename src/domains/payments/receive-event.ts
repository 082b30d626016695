/** What payment providers tell us: verified, written once, and handed to the domain whose reference it carries. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { AppError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noJobData } from '../../ports/jobs.ts';
import { type PaymentEvent, paymentEventSchema } from '../../ports/payments.ts';
import { paymentEvents } from './model.ts';
import { findEventSubject } from './payment-attempts.ts';
import { findPaymentSubject } from './payment-subjects.ts';
import { findRefundForEvent } from './refunds.ts';

export async function receivePaymentWebhook(
  services: Services,
  body: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await services.payments.readEvent(body, header).catch(notAnswered);
  if (!event) {
    throw new AppError('BAD_REQUEST', 'The signature is missing, wrong or too old.', {
      details: [{ field: 'signature', error: 'INVALID_SIGNATURE', message: 'The event is not genuine.' }],
    });
  }
  await receivePaymentEvent(services, event);
}

function notAnswered(cause: unknown): never {
  throw new AppError('UNAVAILABLE', 'The provider does not answer what its event is about.', { cause });
}

export async function receivePaymentEvent(services: Services, told: PaymentEvent): Promise<void> {
  const { provider } = services.payments;
  const event = await asOfNow(services, told);
  await services.db.transaction(async (tx) => {
    const { id } = event;
    const isNew = await tx.sql(
      `${paymentEvents.insert} on conflict do nothing returning 1`,
      paymentEvents.insertParams({ ...event, provider, receivedAt: now() }),
    );
    if (isNew.length === 0) return;
    const outcome = await applyPaymentEvent(services, tx, event);
    await tx.sql('update payment_events set outcome = $3 where provider = $1 and id = $2', [
      provider,
      id,
      outcome,
    ]);
  });
}

/** What has gone back in all is asked for: an event that comes late says what was true once, and a refund may have failed since. */
async function asOfNow({ payments }: Services, event: PaymentEvent): Promise<PaymentEvent> {
  if (event.type !== 'refunded' || event.paymentId === undefined) return event;
  const held = await payments.findPayment(event.paymentId).catch(notAnswered);
  return held ? { ...event, amount: held.refunded } : event;
}

/** Events of a provider that lives inside the gateway: should the one who made them not live to deliver them. */
export const paymentEventJob = defineJob('payment-event', paymentEventSchema, receivePaymentEvent);

/** Returns a word for the record. */
export async function applyPaymentEvent(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
): Promise<string> {
  if (event.refund) {
    const known = await findRefundForEvent(tx, event.refund);
    if (known) {
      const { refund, kind, subjectId } = known;
      await findPaymentSubject(kind)?.applyRefundAnswer(services, tx, refund, event.refund, subjectId);
      return `refund ${event.refund.status}`;
    }
  }
  const { kind, id } = await findEventSubject(tx, event);
  return (await findPaymentSubject(kind)?.applyEvent(services, tx, event, id)) ?? 'ignored';
}

/** The clock of a provider that lives inside the gateway. */

export const billSandboxRenewalsJob = defineJob(
  'bill-due',
  noJobData,
  async ({ payments }: Pick<Services, 'payments'>) => payments.billDue?.(),
  { cron: '* * * * *', retries: 0, timeout: 300 },
);

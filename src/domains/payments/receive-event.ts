/** What payment providers tell us: verified, written once, and handed to the domain whose reference it carries. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { type PaymentEvent, paymentEvent } from '../../ports/payments.ts';

export interface PaymentHandler {
  /**
   * Applies an event to what `id` names, in the transaction that records the event: it happens once. Events may come in
   * any order. Returns a word for the record.
   */
  apply(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string>;
}

const handlers = new Map<string, PaymentHandler>();

/** Events whose reference is `<kind>:<id>` go to this handler. Called once per kind, when a domain is loaded. */
export function handlePayments(kind: string, handler: PaymentHandler): void {
  handlers.set(kind, handler);
}

export async function receiveWebhook(
  services: Services,
  body: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await services.payments.readEvent(body, header);
  if (!event) {
    throw new AppError('BAD_REQUEST', 'The signature is missing, wrong or too old.', {
      details: [{ field: 'signature', error: 'INVALID_SIGNATURE', message: 'The event is not genuine.' }],
    });
  }
  await receiveEvent(services, event);
}

export async function receiveEvent(services: Services, event: PaymentEvent): Promise<void> {
  const { provider } = services.payments;
  await services.db.transaction(async (tx) => {
    const { id, type, reference, paymentId, amount, currency } = event;
    const isNew = await tx.sql(
      `insert into payment_events (provider, id, type, reference, payment_id, amount, currency, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
      [provider, id, type, reference ?? null, paymentId ?? null, amount ?? null, currency ?? null, now()],
    );
    if (isNew.length === 0) return;
    const outcome = await dispatch(services, tx, event);
    await tx.sql('update payment_events set outcome = $3 where provider = $1 and id = $2', [
      provider,
      id,
      outcome,
    ]);
  });
}

/** Events of a provider that lives inside the gateway: should the one who made them not live to deliver them. */
export const paymentEventJob = defineJob('payment-event', paymentEvent, receiveEvent);

async function dispatch(services: Services, tx: Queries, event: PaymentEvent): Promise<string> {
  const reference = event.reference ?? (await referenceOf(tx, services.payments.provider, event.paymentId));
  const [kind = '', id = ''] = reference?.split(':') ?? [];
  const handler = handlers.get(kind);
  return handler ? handler.apply(services, tx, event, id) : 'ignored';
}

/** Some events name only the payment; an earlier event of it may say what it was for. */
async function referenceOf(
  tx: Queries,
  provider: string,
  paymentId: string | undefined,
): Promise<string | undefined> {
  if (paymentId === undefined) return undefined;
  const [row] = await tx.sql<{ reference: string }>(
    'select reference from payment_events where provider = $1 and payment_id = $2 and reference is not null limit 1',
    [provider, paymentId],
  );
  return row?.reference;
}

/** What the provider sees otherwise than we do: a page, a refund on its way, refunds made elsewhere. Without `dryRun` it is repaired. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import { lookUp } from './look-up.ts';
import type { Attempt, Refund } from './model.ts';
import { applyEvent } from './receive-event.ts';
import { settleRefund } from './refunds.ts';

export interface Difference {
  /** What it is about: the reference of a page, a payment, a refund. */
  about: string;
  ours: string;
  theirs: string;
}

/** Throws when the provider does not answer. */
export type Compare<Item> = (
  services: Services,
  item: Item,
  dryRun: boolean,
) => Promise<Difference | undefined>;

const ourWords = { OPEN: 'open', PROCESSING: 'processing' } as const;

export const comparePage: Compare<Attempt> = async (services, attempt, dryRun) => {
  const { reference, sessionId: id = '', state } = attempt;
  const isClosed = state !== 'OPEN' && state !== 'PROCESSING';
  // Closed first and asked then: nobody can pay in between.
  if (isClosed && !dryRun) await services.payments.expireSession({ reference, id });
  const theirs = dryRun
    ? ((await services.payments.findSession(id))?.state ?? 'expired')
    : await lookUp(services, attempt);
  const differs = isClosed ? theirs === 'paid' || theirs === 'processing' : theirs !== ourWords[state];
  return differs
    ? { about: `page ${reference}`, ours: isClosed ? 'closed' : ourWords[state], theirs }
    : undefined;
};

/** One that was never asked for is asked for. */
export const compareRefund: Compare<Refund> = async (services, { id, providerRefundId }, dryRun) => {
  if (!dryRun) await settleRefund(services, id);
  const theirs =
    dryRun && providerRefundId !== undefined
      ? (await services.payments.findRefund(providerRefundId)).status
      : await statusOf(services, id);
  return theirs === 'pending' ? undefined : { about: `refund ${id}`, ours: 'pending', theirs };
};

async function statusOf({ db }: Services, refundId: string): Promise<string> {
  const [row] = await db.sql<{ status: string }>('select status from refunds where id = $1', [refundId]);
  return row?.status.toLowerCase() ?? 'pending';
}

export const comparePayment: Compare<Attempt> = async (services, attempt, dryRun) => {
  const { id, reference, paymentId = '', refundedElsewhere, currency } = attempt;
  const [ours] = await services.db.sql<{ total: number }>(
    `select coalesce(sum(amount), 0)::bigint as total from refunds
     where attempt_id = $1 and payment_id = $2 and status <> 'FAILED'`,
    [id, paymentId],
  );
  const known = (ours?.total ?? 0) + refundedElsewhere;
  const found = await services.payments.findPayment(paymentId);
  if (!dryRun)
    await services.db.sql('update payment_attempts set checked_at = $2 where id = $1', [id, now()]);
  if (!found || found.refunded <= known) return undefined;
  const event: PaymentEvent = {
    id: `look-up:${id}`,
    type: 'refunded',
    reference,
    paymentId,
    amount: found.refunded,
    currency,
  };
  if (!dryRun) await services.db.transaction((tx) => applyEvent(services, tx, event));
  return { about: `payment ${paymentId}`, ours: `${known} back`, theirs: `${found.refunded} back` };
};

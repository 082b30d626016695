/** Read-only audit of recurring payments: finds them by their first payment attempt and lists paid invoices that are not recorded. */
import type { Services } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { nilUuid } from '../../../lib/ids.ts';
import type { PaymentEvent, ProviderSubscription } from '../../../ports/payments.ts';
import { type PaymentAttempt, paymentAttemptTable } from '../model.ts';

const batchSize = 200;

// Only the first attempt has a URL: invoices are charged without a payment page.
const select = `select ${paymentAttemptTable.columns}, (select json_agg(b.session_id) from payment_attempts b
    where b.kind = a.kind and b.subject_id = a.subject_id and b.payment_id is not null) as recorded
  from ${paymentAttemptTable.from} where a.id > $1 and a.kind = 'subscription' and a.payment_id is not null and a.url is not null
  order by a.id limit ${batchSize}`;

interface RecurringPaymentAudit {
  firstAttempt: PaymentAttempt;
  recurring: ProviderSubscription;
  /** Paid invoices at the provider without a payment attempt here. */
  unrecordedInvoices: PaymentEvent[];
}

export async function* auditRecurringPayments({
  db,
  payments,
}: Pick<Services, 'db' | 'payments'>): AsyncGenerator<RecurringPaymentAudit> {
  for (let after = nilUuid; ; ) {
    const rows = await db.sql<UntypedRow & { recorded: string[] }>(select, [after]);
    for (const row of rows) {
      const firstAttempt = paymentAttemptTable.read(row);
      const id = (await payments.findSession(firstAttempt.sessionId ?? ''))?.recurring?.id;
      if (id === undefined) continue;
      const events = await payments.listRecurringEvents(id);
      const isUnrecorded = ({ type, recurring }: PaymentEvent) =>
        type === 'paid' && !recurring?.bill?.isFirst && !row.recorded.includes(recurring?.bill?.id ?? '');
      yield {
        firstAttempt,
        recurring: events.at(-1)?.recurring ?? { id },
        unrecordedInvoices: events.filter(isUnrecorded),
      };
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

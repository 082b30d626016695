/** What the provider bills again and again, found by the pages that began it. Asks and changes nothing. */
import type { Services } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { nilId } from '../../../lib/audit-finding.ts';
import type { PaymentEvent, ProviderRecurring } from '../../../ports/payments.ts';
import { type PaymentAttempt, paymentAttempts } from '../model.ts';

const batchSize = 200;

// Bills have no address to pay on: only pages do.
const select = `select ${paymentAttempts.columns}, (select json_agg(b.session_id) from payment_attempts b
    where b.kind = a.kind and b.subject_id = a.subject_id and b.payment_id is not null) as known
  from ${paymentAttempts.from} where a.id > $1 and a.kind = 'subscription' and a.payment_id is not null and a.url is not null
  order by a.id limit ${batchSize}`;

export interface RecurringPaymentAudit {
  firstAttempt: PaymentAttempt;
  recurring: ProviderRecurring;
  /** What was paid at the provider and is written nowhere here. */
  unrecordedInvoices: PaymentEvent[];
}

export async function* auditRecurringPayments({
  db,
  payments,
}: Pick<Services, 'db' | 'payments'>): AsyncGenerator<RecurringPaymentAudit> {
  for (let after = nilId; ; ) {
    const rows = await db.sql<TableRow & { known: string[] }>(select, [after]);
    for (const row of rows) {
      const page = paymentAttempts.read(row);
      const id = (await payments.findSession(page.sessionId ?? ''))?.recurring?.id;
      if (id === undefined) continue;
      const events = await payments.askRecurring(id);
      const isUnknown = ({ type, recurring }: PaymentEvent) =>
        type === 'paid' && !recurring?.bill?.isFirst && !row.known.includes(recurring?.bill?.id ?? '');
      yield {
        firstAttempt: page,
        recurring: events.at(-1)?.recurring ?? { id },
        unrecordedInvoices: events.filter(isUnknown),
      };
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

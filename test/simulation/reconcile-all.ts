/** Reconciles all payments with the provider immediately, except those unchanged since the last comparison. */
import type { Db } from '../../src/db/handles.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import type { World } from './world.ts';

export const createComparisonTable = (db: Db): Promise<unknown[]> =>
  db.sql('create table simulation_compared (id uuid primary key, digest text)');

/** Digest of a payment attempt with its refunds and its record at the provider. */
const paymentDigest = `md5((to_jsonb(a) - 'checked_at')::text || coalesce((select to_jsonb(s)::text from sandbox_payments s
    where 'pay_' || s.id = a.payment_id), '') || coalesce((select string_agg(to_jsonb(r)::text, '' order by r.id)
    from refunds r where r.attempt_id = a.id), ''))`;

/** Makes payments due whose digest changed since the last comparison. */
const markChangedDue = `with changed as (
    insert into simulation_compared (id, digest) select a.id, ${paymentDigest} from payment_attempts a
      where a.state in ('PAID', 'RETURNED') and a.payment_id is not null
    on conflict (id) do update set digest = excluded.digest where simulation_compared.digest <> excluded.digest returning id)
  update payment_attempts set checked_at = 0 where id in (select id from changed)`;

export async function reconcileAll({ t }: World): Promise<void> {
  await t.db.write(markChangedDue);
  const { unanswered } = await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  // The result does not name the payments without a response, so all are compared the next time.
  if (unanswered > 0) await t.db.write('delete from simulation_compared');
}

/** Asks the provider about everything at once, but for payments that would be found as they were. */
import type { Db } from '../../src/db/handles.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import type { World } from './world.ts';

export const createComparisonTable = (db: Db): Promise<unknown[]> =>
  db.sql('create table simulation_compared (id uuid primary key, digest text)');

/** What is compared of a payment: all that is known of it here and at the provider. */
const compared = `md5((to_jsonb(a) - 'checked_at')::text || coalesce((select to_jsonb(s)::text from sandbox_payments s
    where 'pay_' || s.id = a.payment_id), '') || coalesce((select string_agg(to_jsonb(r)::text, '' order by r.id)
    from refunds r where r.attempt_id = a.id), ''))`;

/** Those that something happened to since they were compared last are due, however short ago that was. */
const dueAgain = `with changed as (
    insert into simulation_compared (id, digest) select a.id, ${compared} from payment_attempts a
      where a.state in ('PAID', 'RETURNED') and a.payment_id is not null
    on conflict (id) do update set digest = excluded.digest where simulation_compared.digest <> excluded.digest returning id)
  update payment_attempts set checked_at = 0 where id in (select id from changed)`;

export async function reconcileAll({ t }: World): Promise<void> {
  await t.db.sql(dueAgain);
  const { unanswered } = await reconcilePayments(t.app.services, { eventGraceSeconds: 0 });
  // Nobody knows which: all are compared the next time.
  if (unanswered > 0) await t.db.sql('delete from simulation_compared');
}

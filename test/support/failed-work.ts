/** Creates one failed job, mail, refund, webhook delivery and payment event, as the list of failed work shows them to an operator. */

import { newId } from '../../src/lib/ids.ts';
import type { TestApp } from './app.ts';
import { registerEndpoint, startWebhookReceiver } from './webhook-receiver.ts';

export interface FailedWorkIds {
  job: string;
  mail: string;
  refund: string;
  delivery: string;
  payment: string;
}

export async function createFailedWork(t: TestApp): Promise<FailedWorkIds> {
  const shop = await t.shop();
  const hooks = await startWebhookReceiver();
  const endpoint = await registerEndpoint(t, shop, hooks.url);
  const [attempt, refund, event, delivery] = [newId(), newId(), newId(), newId()];
  const insertFailedJob = async (queue: string, message: string, secondsAgo: number) => {
    const [row] = await t.db.write<{ id: string }>(
      `insert into pgboss.job (name, state, retry_count, start_after, completed_on, output)
       values ($1, 'failed', 5, now(), now() - make_interval(secs => $3), $2) returning id::text as id`,
      [queue, JSON.stringify({ message }), secondsAgo],
    );
    return row?.id ?? '';
  };
  const job = await insertFailedJob('expire-orders', 'no <b>luck</b>', 10);
  const mail = await insertFailedJob('mail', 'the mailbox is full', 20);
  const at = Math.floor(Date.now() / 1000);
  await t.db.write(
    `insert into payment_attempts (id, reference, kind, subject_id, number, amount, currency, state, payment_id, captured, expires_at, created_at, updated_at)
     values ($1, $2, 'order', $3, 1, 500, 'USD', 'PAID', 'pay_1', 500, $4, $4, $4)`,
    [attempt, `order:${attempt}`, newId(), at],
  );
  await t.db.write(
    `insert into refunds (id, attempt_id, payment_id, amount, currency, status, failure, created_at, settled_at)
     values ($1, $2, 'pay_1', 500, 'USD', 'FAILED', 'the card is closed', $3, $3)`,
    [refund, attempt, at - 30],
  );
  await t.db.write(
    `insert into webhook_events (id, business_id, type, data, created_at) values ($1, $2, 'order.created', '{}', $3)`,
    [event, shop.businessId, at],
  );
  await t.db.write(
    `insert into webhook_deliveries (id, business_id, event_id, endpoint_id, status, attempts, next_attempt_at, last_attempt_at, last_error, created_at)
     values ($1, $2, $3, $4, 'FAILED', 8, $5, $6, 'nobody answers', $5)`,
    [delivery, shop.businessId, event, endpoint.id, at, at - 40],
  );
  await t.db.write(
    `insert into payment_events (provider, id, type, reference, payment_id, amount, currency, outcome, received_at)
     values ('sandbox', 'evt_1', 'paid', $1, 'pay_2', 700, 'USD', 'unknown order', $2)`,
    [`order:${newId()}`, at - 50],
  );
  return { job, mail, refund, delivery, payment: 'sandbox/evt_1' };
}

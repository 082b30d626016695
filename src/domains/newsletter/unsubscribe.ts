/** Ends a subscription by the token of a mail. Doing it again changes nothing. */

import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { announce } from '../webhooks/announce.ts';
import { factColumns, type SubscriptionFacts, subscriptionEvents } from './events.ts';
import type { SubscriptionStatus } from './model.ts';
import { readUnsubscribeToken } from './tokens.ts';

export async function unsubscribe(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ success: true }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) {
    throw invalid({ field: 'token', error: 'INVALID_TOKEN', message: 'This unsubscribe link is not valid.' });
  }
  await ctx.db.transaction(async (tx) => {
    const [ended] = await tx.sql<SubscriptionFacts & { previous: SubscriptionStatus }>(
      `update subscriptions s set status = 'UNSUBSCRIBED', updated_at = $3
       from (select id, status from subscriptions where id = $1 and business_id = $2 for update) before
       where s.id = before.id and before.status <> 'UNSUBSCRIBED'
       returning ${factColumns}, before.status as previous`,
      [id, businessId, now()],
    );
    if (ended) await announce(ctx, tx, businessId, subscriptionEvents(ended.previous, ended));
  });
  return { success: true };
}

/** Ends a subscription by the token of a mail. Doing it again changes nothing. */
import { invalid } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { now } from '../../lib/time.ts';
import { readUnsubscribeToken } from './tokens.ts';

export async function unsubscribe(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ success: true }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) {
    throw invalid({ field: 'token', error: 'INVALID_TOKEN', message: 'This unsubscribe link is not valid.' });
  }
  await ctx.db.sql(
    `update subscriptions set status = 'UNSUBSCRIBED', updated_at = $3
     where id = $1 and business_id = $2 and status <> 'UNSUBSCRIBED'`,
    [id, businessId, now()],
  );
  return { success: true };
}

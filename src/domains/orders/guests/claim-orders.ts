/** `claimOrders`: makes the viewer the customer of the orders that were placed as a guest with the viewer's confirmed email address. */
import type { Context } from '../../../context.ts';
import { buildDistinctValuesSql } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import { contextsOfServers } from '../../../find-on-servers.ts';
import { requireOwnAccount } from '../../users/account/load-own-account.ts';
import { loadUserContactDetails } from '../../users/people/load-contact-details.ts';
import { accountRateLimitRules, enforceRateLimits } from '../../users/rate-limits.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';

/** Per request; a further request claims the rest. */
const maxClaimedOrders = 100;
const batch = 100;

const selectByContact = `
  select o.id, o.customer_id as "customerId" from ${buildDistinctValuesSql('orders', 'business_id')} b
  cross join lateral (
    select o.id, o.customer_id from orders o
    where o.business_id = b.id and o.contact_email = $1 and o.customer_id <> $2 and o.id > $3::uuid
    order by o.id limit ${batch}
  ) o
  order by o.id limit ${batch}`;

interface ContactOrder {
  id: string;
  customerId: string;
}

/** Orders of guests with this contact address, oldest first, read in batches. */
async function* listGuestOrders(ctx: Context, contactEmail: string, userId: string) {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await ctx.db.sql<ContactOrder>(selectByContact, [contactEmail, userId, after]);
    const customers = await loadUserContactDetails(ctx.db, [
      ...new Set(rows.map(({ customerId }) => customerId)),
    ]);
    yield* rows.filter(({ customerId }) => customers.get(customerId)?.isGuest);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = last.id;
  }
}

/** Each order is an ordinary update: it is recorded in the audit log with the viewer as actor, and emits `order.updated`. */
export async function claimOrders(ctx: Context): Promise<{ claimed: number }> {
  const { id: userId, email, isConfirmed } = await requireOwnAccount(ctx);
  if (!isConfirmed || !email) throw forbiddenError('Confirm your email address first.');
  await enforceRateLimits(ctx, [accountRateLimitRules.claimOrdersByAccount, userId]);
  let claimed = 0;
  for (const serverCtx of contextsOfServers(ctx))
    claimed += await claimOrdersOnServer(serverCtx, email.toLowerCase(), userId, maxClaimedOrders - claimed);
  return { claimed };
}

async function claimOrdersOnServer(
  ctx: Context,
  contactEmail: string,
  userId: string,
  limit: number,
): Promise<number> {
  let claimed = 0;
  if (limit === 0) return claimed;
  for await (const { id, customerId } of listGuestOrders(ctx, contactEmail, userId)) {
    if (await claimOrder(ctx, id, { guestId: customerId, contactEmail, userId })) claimed += 1;
    if (claimed === limit) break;
  }
  return claimed;
}

const claimOrder = (
  ctx: Context,
  id: string,
  { guestId, contactEmail, userId }: { guestId: string; contactEmail: string; userId: string },
): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id });
    // Staff may have corrected the address meanwhile, or another request has claimed the order.
    if (order?.customerId !== guestId || order.contactEmail !== contactEmail) return false;
    await saveOrder(ctx, tx, order, { ...order, customerId: userId });
    return true;
  });

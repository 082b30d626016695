/** `sendOrderLink`: mails an order link to the address of the order, if the caller names its number and that address. */
import { z } from 'zod';
import type { Context, Services } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { defineJob } from '../../../ports/jobs.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
} from '../../users/rate-limits.ts';
import { findOrderRecipient } from '../mail/find-order-recipient.ts';
import { queueOrderLinkMail } from '../mail/queue-order-mails.ts';
import { orderTable } from '../model.ts';
import type { SendOrderLinkArgs } from './schemas.ts';

const requestSchema = z.object({ businessId: z.string(), number: z.number(), email: z.string() });

/**
 * A job looks the order up, so that response and response time do not reveal whether number and address match. The limits of the
 * response count requests of the caller's network only, so that no one else can use up the share of a customer.
 */
export async function sendOrderLink(
  ctx: Context,
  { businessId, input: { number, email } }: SendOrderLinkArgs,
): Promise<{ sent: true }> {
  const network = buildClientNetworkRateLimitKey(ctx);
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.orderLinkByAddress, network],
    [accountRateLimitRules.orderLinkByOrder, `${network}/${businessId.toLowerCase()}/${number}`],
  );
  await ctx.jobs.enqueue(ctx.db, sendOrderLinkJob, { businessId, number, email });
  return { sent: true };
}

const selectByNumber = `select ${orderTable.columns} from ${orderTable.from} where o.business_id = $1 and o.number = $2`;

/** Mails beyond the limit of the order are dropped silently: a response would reveal that earlier requests matched. */
async function mailOrderLink(
  services: Services,
  { businessId, number, email }: z.output<typeof requestSchema>,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const [row] = await tx.sql<UntypedRow>(selectByNumber, [businessId, number]);
    const order = row && orderTable.read(row);
    const recipient = order && (await findOrderRecipient(tx, order));
    if (!order || recipient?.email.toLowerCase() !== email) return;
    const state = await services.limits.consume(accountRateLimitRules.orderLinkMail, order.id);
    if (!state?.exceeded) await queueOrderLinkMail(services, tx, order);
  });
}

export const sendOrderLinkJob = defineJob('orders.send-link', requestSchema, mailOrderLink);

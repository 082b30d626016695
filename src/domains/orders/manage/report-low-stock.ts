/** Low-stock notification: a webhook event, and a mail to members with PRODUCTS_WRITE. */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { escapeHtml } from '../../../lib/text/escape-text.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { loadBusinessMemberIdsWithPermission } from '../../businesses/staff/load-member-ids.ts';
import { buildLowStockEvent } from '../../products/build-events.ts';
import { loadProductsOfAnyStatus } from '../../products/read/load-products-of-any-status.ts';
import type { LowStockVariant } from '../../products/stock/move-stock.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { loadContactDetailsForBusinesses } from '../../users/people/load-contact-details.ts';
import { accountRateLimitRules } from '../../users/rate-limits.ts';
import { emitWebhookEvents, type WebhookEmitServices } from '../../webhooks/emit-events.ts';

const lowStockPayload = z.object({
  businessId: z.string(),
  variants: z.array(z.object({ productId: z.string(), variantId: z.string(), quantity: z.number() })),
});

/** Writes the event and the mail job in the transaction that took the stock. */
export async function reportLowStock(
  services: WebhookEmitServices,
  tx: QueryHandle,
  businessId: string,
  variants: LowStockVariant[],
): Promise<void> {
  if (variants.length === 0) return;
  await services.jobs.enqueue(tx, lowStockMailJob, { businessId, variants });
  const events = variants.map((variant) => buildLowStockEvent(businessId, variant));
  await emitWebhookEvents(services, tx, businessId, events);
}

async function mailProductEditors(
  services: Pick<Services, 'db' | 'jobs' | 'config' | 'limits'>,
  { businessId, variants }: z.output<typeof lowStockPayload>,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const products = await loadProductsOfAnyStatus(
      tx,
      businessId,
      variants.map((variant) => variant.productId),
    );
    const lines = variants.flatMap(({ productId, variantId, quantity }) => {
      const product = products.get(productId);
      const variant = product?.variants.find(({ id }) => id === variantId);
      return product && variant
        ? [`${product.name}${variant.name ? `, ${variant.name}` : ''}: ${quantity} left`]
        : [];
    });
    if (lines.length === 0) return;
    for (const email of await loadProductEditorEmails(tx, businessId)) {
      // Staff write the names of products: repeated changes of stock must not flood the other members with mails.
      const state = await services.limits.consume(accountRateLimitRules.lowStockMailByRecipient, email);
      if (state?.exceeded) continue;
      await queueMail(services, tx, {
        to: email,
        subject: 'Stock is running low',
        text: `${lines.join('\n')}\n`,
        html: `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
      });
    }
  });
}

export const lowStockMailJob = defineJob('low-stock', lowStockPayload, mailProductEditors);

/** Email addresses of the members who may change products. Who neither accepted the role nor acted in the business gets no mail from it. */
async function loadProductEditorEmails(tx: QueryHandle, businessId: string): Promise<string[]> {
  const members = await loadBusinessMemberIdsWithPermission(tx, businessId, 'PRODUCTS_WRITE');
  const keys = members.map((id) => `${businessId}/${id}`);
  const contacts = await loadContactDetailsForBusinesses(tx, keys, undefined);
  return keys.flatMap((key) => contacts.get(key)?.email ?? []);
}

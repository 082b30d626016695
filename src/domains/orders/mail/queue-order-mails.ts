/** Queues customer mails in the transaction that changes the order: each mail is sent once, and not at all if the change is rolled back. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { loadShopBrand } from '../../branding/find-and-update-branding.ts';
import { loadMailTemplateForSending } from '../../mail-templates/find-mail-templates.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { listUnitsOfReturn } from '../fulfilment/fulfilment-progress-by-line.ts';
import type { QuantityAtLineIndex } from '../fulfilment/quantities-by-line-index.ts';
import { buildOrderLink } from '../guests/order-links.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';
import { composeOrderMail, type OrderMailParams } from './compose-order-mail.ts';
import { type ContactMailLimitServices, tryConsumeContactMailLimits } from './contact-mail-limits.ts';
import { findOrderRecipient } from './find-order-recipient.ts';

export type OrderMailServices = Pick<Services, 'jobs' | 'config' | 'keys'> & ContactMailLimitServices;

type ChangeMail = Pick<OrderMailParams, 'kind' | 'amount' | 'part'>;

/** Mails for the difference between two versions of an order. Cancelling an unpaid checkout sends no mail: it was never confirmed either. Pure. */
export function deriveOrderChangeMails(before: Order, after: Order): ChangeMail[] {
  const previousIds = new Set(before.fulfilments?.map(({ id }) => id));
  const shipped = (after.fulfilments ?? []).filter(
    ({ id, status }) => status === 'SHIPPED' && !previousIds.has(id),
  );
  const [statusBefore, status] = [currentStatus(before.statuses), currentStatus(after.statuses)];
  const isUnpaidCheckout = before.expiresAt !== undefined && before.captured === 0;
  const hasBecomeFree = before.paymentMethod !== 'FREE' && after.paymentMethod === 'FREE';
  return [
    // An unpaid order is confirmed by its payment, or when it needs none any more.
    ...(hasBecomeFree ? [{ kind: 'ORDER_CONFIRMED' as const }] : []),
    ...shipped.map((part) => ({ kind: 'ORDER_SHIPPED' as const, part })),
    ...returnMails(before, after),
    ...(status === 'CANCELLED' && statusBefore !== status && !isUnpaidCheckout
      ? [{ kind: 'ORDER_CANCELLED' as const }]
      : []),
    ...(after.refunded > before.refunded
      ? [{ kind: 'ORDER_REFUNDED' as const, amount: after.refunded - before.refunded }]
      : []),
  ];
}

/** Mails for returns that staff accepted or refused. A withdrawal by the customer sends none. */
function returnMails(before: Order, after: Order): ChangeMail[] {
  const requestedIds = new Set(
    before.returns?.filter(({ status }) => status === 'REQUESTED').map(({ id }) => id),
  );
  return (after.returns ?? []).flatMap(({ id, status, lines, refusal }): ChangeMail[] => {
    if (!requestedIds.has(id)) return [];
    if (status === 'REFUSED') return [{ kind: 'RETURN_REFUSED', part: { lines, note: refusal } }];
    if (status !== 'ACCEPTED') return [];
    const accepted = listUnitsOfReturn({ lines });
    const refused = lines.map(({ line, quantity }, index) => ({
      line,
      quantity: quantity - (accepted[index]?.quantity ?? 0),
    }));
    return [
      { kind: 'RETURN_ACCEPTED', part: { lines: accepted.filter(hasUnits) } },
      ...(refused.some(hasUnits)
        ? [{ kind: 'RETURN_REFUSED' as const, part: { lines: refused.filter(hasUnits), note: refusal } }]
        : []),
    ];
  });
}

const hasUnits = ({ quantity }: QuantityAtLineIndex) => quantity > 0;

export async function queueOrderChangeMails(
  services: OrderMailServices,
  tx: QueryHandle,
  before: Order,
  order: Order,
): Promise<void> {
  for (const mail of deriveOrderChangeMails(before, order)) await queueOrderMail(services, tx, order, mail);
}

export const queueOrderConfirmationMail = (
  services: OrderMailServices,
  tx: QueryHandle,
  order: Order,
): Promise<void> => queueOrderMail(services, tx, order, { kind: 'ORDER_CONFIRMED' });

/** Always contains an order link, also for a recipient with an account. */
export const queueOrderLinkMail = (
  services: OrderMailServices,
  tx: QueryHandle,
  order: Order,
): Promise<void> => queueOrderMail(services, tx, order, { kind: 'ORDER_LINK' });

/** Sends nothing for an order without an address, or beyond the limits of contact addresses. */
async function queueOrderMail(
  services: OrderMailServices,
  tx: QueryHandle,
  order: Order,
  mail: ChangeMail,
): Promise<void> {
  const recipient = await findOrderRecipient(tx, order);
  if (!recipient) return;
  if (!recipient.hasAccount && !(await tryConsumeContactMailLimits(services, tx, order, recipient.email)))
    return;
  const brand = await loadShopBrand(services, tx, order.businessId);
  const template = await loadMailTemplateForSending(
    tx,
    order.businessId,
    mail.kind,
    order.locale,
    brand.defaultLocale,
  );
  await queueMail(services, tx, {
    to: recipient.email,
    ...composeOrderMail({
      ...mail,
      order,
      name: recipient.name,
      brand,
      template,
      link:
        recipient.hasAccount && mail.kind !== 'ORDER_LINK'
          ? undefined
          : buildOrderLink(services, order, brand.orderUrl),
    }),
  });
}

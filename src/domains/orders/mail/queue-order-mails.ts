/** Queues customer mails in the transaction that changes the order: each mail is sent once, and not at all if the change is rolled back. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { loadUserContactDetails } from '../../users/people/contact-details.ts';
import { listReturnUnits } from '../fulfilment/line-progress.ts';
import type { LineUnits } from '../fulfilment/line-units.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';
import { composeOrderMail, type OrderMailInput } from './compose-order-mail.ts';

type MailServices = Pick<Services, 'jobs' | 'config'>;

type ChangeMail = Pick<OrderMailInput, 'kind' | 'amount' | 'part'>;

/** Mails for the difference between two versions of an order. Cancelling an unpaid checkout sends no mail: it was never confirmed either. Pure. */
export function deriveOrderChangeMails(before: Order, after: Order): ChangeMail[] {
  const previousIds = new Set(before.fulfilments?.map(({ id }) => id));
  const shipped = (after.fulfilments ?? []).filter(
    ({ id, status }) => status === 'SHIPPED' && !previousIds.has(id),
  );
  const [statusBefore, status] = [currentStatus(before.statuses), currentStatus(after.statuses)];
  const isUnpaidCheckout = before.expiresAt !== undefined && before.captured === 0;
  return [
    ...shipped.map((part) => ({ kind: 'shipped' as const, part })),
    ...returnMails(before, after),
    ...(status === 'CANCELLED' && statusBefore !== status && !isUnpaidCheckout
      ? [{ kind: 'cancelled' as const }]
      : []),
    ...(after.refunded > before.refunded
      ? [{ kind: 'refunded' as const, amount: after.refunded - before.refunded }]
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
    if (status === 'REFUSED') return [{ kind: 'returnRefused', part: { lines, note: refusal } }];
    if (status !== 'ACCEPTED') return [];
    const accepted = listReturnUnits({ lines });
    const refused = lines.map(({ line, quantity }, index) => ({
      line,
      quantity: quantity - (accepted[index]?.quantity ?? 0),
    }));
    return [
      { kind: 'returnAccepted', part: { lines: accepted.filter(hasUnits) } },
      ...(refused.some(hasUnits)
        ? [{ kind: 'returnRefused' as const, part: { lines: refused.filter(hasUnits), note: refusal } }]
        : []),
    ];
  });
}

const hasUnits = ({ quantity }: LineUnits) => quantity > 0;

export async function queueOrderChangeMails(
  services: MailServices,
  tx: QueryHandle,
  before: Order,
  order: Order,
): Promise<void> {
  for (const mail of deriveOrderChangeMails(before, order)) await queueOrderMail(services, tx, order, mail);
}

export const queueOrderConfirmationMail = (
  services: MailServices,
  tx: QueryHandle,
  order: Order,
): Promise<void> => queueOrderMail(services, tx, order, { kind: 'confirmed' });

/** Sends nothing to guests: they have no email address. */
async function queueOrderMail(
  services: MailServices,
  tx: QueryHandle,
  order: Order,
  mail: ChangeMail,
): Promise<void> {
  if (order.customerId === undefined) return;
  const customer = (await loadUserContactDetails(tx, [order.customerId])).get(order.customerId);
  if (customer?.email === undefined) return;
  const business = await loadBusinessName(tx, order.businessId);
  await queueMail(services, tx, {
    to: customer.email,
    ...composeOrderMail({ ...mail, order, name: customer.name, business }),
  });
}

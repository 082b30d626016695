/** Which mails the change of an order makes, queued in the transaction of the change: each is sent once, and never for what was undone. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';
import { returnedUnits } from '../fulfilment/line-progress.ts';
import type { LineUnits } from '../fulfilment/line-units.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';
import { composeOrderMail, type OrderMailInput } from './compose-order-mail.ts';

type Mailer = Pick<Services, 'jobs' | 'config'>;

type Mail = Pick<OrderMailInput, 'mail' | 'amount' | 'parcel'>;

/** What a saved change tells the customer. Whoever never heard that an order is in does not hear of its end. Pure. */
export function orderMailsForChange(before: Order, after: Order): Mail[] {
  const known = new Set(before.fulfilments?.map(({ id }) => id));
  const sent = (after.fulfilments ?? []).filter(({ id, status }) => status === 'SHIPPED' && !known.has(id));
  const [was, is] = [currentStatus(before.statuses), currentStatus(after.statuses)];
  const isUnpaidCheckout = before.expiresAt !== undefined && before.captured === 0;
  return [
    ...sent.map((parcel) => ({ mail: 'shipped' as const, parcel })),
    ...decidedIn(before, after),
    ...(is === 'CANCELLED' && was !== is && !isUnpaidCheckout ? [{ mail: 'cancelled' as const }] : []),
    ...(after.refunded > before.refunded
      ? [{ mail: 'refunded' as const, amount: after.refunded - before.refunded }]
      : []),
  ];
}

/** Whoever keeps it after all knows. */
function decidedIn(before: Order, after: Order): Mail[] {
  const open = new Set(before.returns?.filter(({ status }) => status === 'REQUESTED').map(({ id }) => id));
  return (after.returns ?? []).flatMap(({ id, status, lines, refusal }): Mail[] => {
    if (!open.has(id)) return [];
    if (status === 'REFUSED') return [{ mail: 'returnRefused', parcel: { lines, note: refusal } }];
    if (status !== 'ACCEPTED') return [];
    const accepted = returnedUnits({ lines });
    const rest = lines.map(({ line, quantity }, at) => ({
      line,
      quantity: quantity - (accepted[at]?.quantity ?? 0),
    }));
    return [
      { mail: 'returnAccepted', parcel: { lines: accepted.filter(isSome) } },
      ...(rest.some(isSome)
        ? [{ mail: 'returnRefused' as const, parcel: { lines: rest.filter(isSome), note: refusal } }]
        : []),
    ];
  });
}

const isSome = ({ quantity }: LineUnits) => quantity > 0;

export async function queueOrderChangeMails(
  services: Mailer,
  tx: Queries,
  before: Order,
  order: Order,
): Promise<void> {
  for (const mail of orderMailsForChange(before, order)) await queueOrderMail(services, tx, order, mail);
}

export const queueOrderConfirmation = (services: Mailer, tx: Queries, order: Order): Promise<void> =>
  queueOrderMail(services, tx, order, { mail: 'confirmed' });

/** Guests have no address, and get no mail. */
async function queueOrderMail(services: Mailer, tx: Queries, order: Order, mail: Mail): Promise<void> {
  if (order.customerId === undefined) return;
  const customer = (await loadContactDetails(tx, [order.customerId])).get(order.customerId);
  if (customer?.email === undefined) return;
  const business = await loadBusinessName(tx, order.businessId);
  await queueMail(services, tx, {
    to: customer.email,
    ...composeOrderMail({ ...mail, order, name: customer.name, business }),
  });
}

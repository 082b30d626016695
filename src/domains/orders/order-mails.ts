/** Which mails the change of an order makes, queued in the transaction of the change: each is sent once, and never for what was undone. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { businessName } from '../businesses/businesses.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { loadContacts } from '../users/contacts.ts';
import { composeMail, type Told } from './compose-mail.ts';
import type { Units } from './line-units.ts';
import type { Order } from './model.ts';
import { unitsBack } from './progress.ts';
import { currentOf } from './transitions.ts';

type Mailer = Pick<Services, 'jobs' | 'config'>;

type Mail = Pick<Told, 'mail' | 'amount' | 'parcel'>;

/** What a saved change tells the customer. Whoever never heard that an order is in does not hear of its end. Pure. */
export function mailsOf(before: Order, after: Order): Mail[] {
  const known = new Set(before.fulfilments?.map(({ id }) => id));
  const sent = (after.fulfilments ?? []).filter(({ id, status }) => status === 'SHIPPED' && !known.has(id));
  const [was, is] = [currentOf(before.statuses), currentOf(after.statuses)];
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
    const accepted = unitsBack({ lines });
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

const isSome = ({ quantity }: Units) => quantity > 0;

export async function queueChangeMails(
  services: Mailer,
  tx: Queries,
  before: Order,
  order: Order,
): Promise<void> {
  for (const mail of mailsOf(before, order)) await queueOrderMail(services, tx, order, mail);
}

export const queueConfirmation = (services: Mailer, tx: Queries, order: Order): Promise<void> =>
  queueOrderMail(services, tx, order, { mail: 'confirmed' });

/** Guests have no address, and get no mail. */
async function queueOrderMail(services: Mailer, tx: Queries, order: Order, mail: Mail): Promise<void> {
  if (order.customerId === undefined) return;
  const customer = (await loadContacts(tx, [order.customerId])).get(order.customerId);
  if (customer?.email === undefined) return;
  const business = await businessName(tx, order.businessId);
  await queueMail(services, tx, {
    to: customer.email,
    ...composeMail({ ...mail, order, name: customer.name, business }),
  });
}

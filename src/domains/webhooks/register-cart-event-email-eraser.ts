/** Eraser: removes the email address of a deleted user from stored `cart.abandoned` events. Other events contain none. */
import type { Services } from '../../context.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../shared/personal-data/personal-data-eraser-registry.ts';

async function eraseCartEmails({ db }: Services, { userId, contacts }: ErasedPerson): Promise<void> {
  const events = await db.prisma.webhookEvent.findMany({
    where: {
      type: 'cart.abandoned',
      OR: [
        { data: { path: ['customerId'], equals: userId } },
        ...contacts.map((email) => ({ data: { path: ['email'], equals: email } })),
      ],
    },
    select: { id: true, businessId: true, data: true },
  });
  for (const { id, businessId, data } of events) {
    if (typeof data !== 'object' || data === null || Array.isArray(data) || !('email' in data)) continue;
    const { email: _email, ...rest } = data;
    await db.prisma.webhookEvent.updateMany({ where: { id, businessId }, data: { data: rest } });
  }
}

registerPersonalDataEraser(eraseCartEmails);

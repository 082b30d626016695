/** Inserts an order without lines, for tests of records that reference an order. */
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { Person, Shop, TestApp } from './app.ts';

export async function createEmptyOrder(t: TestApp, shop: Shop, customer: Person): Promise<string> {
  const id = newId();
  const time = now();
  const history = [{ id, status: 'PENDING', changedBy: 'SYSTEM', timestamp: time }];
  await t.db.prisma.order.create({
    data: {
      id,
      businessId: shop.businessId,
      customerId: customer.userId,
      market: 'US',
      currency: 'USD',
      lines: [],
      subtotal: 0,
      tax: 0,
      shipping: 0,
      discount: 0,
      total: 0,
      statuses: history,
      paymentStatuses: history,
      createdAt: time,
      updatedAt: time,
    },
  });
  return id;
}

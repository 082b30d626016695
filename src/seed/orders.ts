/** Seeds two orders of the demo shop: an unpaid one, and a shipped one with return requests. */
import type { QueryHandle } from '../db/handles.ts';
import { buildSeedId, demoAddress, demoShopIdsAndLogins, disposableRecordIds } from './shop-data.ts';

interface Stamps {
  createdAt: number;
  updatedAt: number;
}

const coffee = {
  type: 'PRODUCT_VARIANT',
  productId: buildSeedId(3, 1),
  variantId: buildSeedId(4, 1),
  name: 'Yirgacheffe Konga',
  variantName: '250 g',
  sku: 'ETH-KONGA-250',
  quantity: 2,
  unitPrice: 1650,
  totalPrice: 3300,
  discount: 0,
  tax: 272,
  taken: 0,
};

export const demoCoffeeOrder = {
  businessId: demoShopIdsAndLogins.businessId,
  customerId: demoShopIdsAndLogins.customerId,
  market: 'US',
  currency: 'USD',
  shippingAddress: demoAddress,
  lines: [coffee],
  subtotal: 3300,
  tax: 272,
  taxBps: 825,
  shipping: 590,
  discount: 0,
  total: 4162,
  shippingMethodId: 'standard',
};

/** Status history with the same timestamp for all entries. */
export const createDemoStatusHistory = (id: string, timestamp: number, ...statuses: string[]) =>
  statuses.map((status, index) => ({
    id: index === 0 ? id : `${id}-${index}`,
    status,
    changedBy: 'SYSTEM',
    timestamp,
  }));

export async function seedOrders({ prisma }: QueryHandle, stamps: Stamps): Promise<void> {
  const { orderId, shippedOrderId, fulfilmentId, returnId, openedReturnId, withdrawnReturnId } =
    disposableRecordIds;
  const timestamp = stamps.createdAt;
  const history = (id: string, ...statuses: string[]) => createDemoStatusHistory(id, timestamp, ...statuses);
  const returnRequest = (id: string, reason: string, quantity = 1) => ({
    id,
    status: 'REQUESTED',
    lines: [{ line: 0, quantity }],
    reason,
    createdAt: timestamp,
  });
  // Unpaid order.
  const pending = history(orderId, 'PENDING');
  await prisma.order.create({
    data: { id: orderId, ...demoCoffeeOrder, statuses: pending, paymentStatuses: pending, ...stamps },
  });
  await prisma.order.create({
    data: {
      id: shippedOrderId,
      ...demoCoffeeOrder,
      lines: [{ ...coffee, quantity: 5, totalPrice: 8250, tax: 681 }],
      subtotal: 8250,
      tax: 681,
      total: 9521,
      statuses: history(shippedOrderId, 'PENDING', 'PROCESSING', 'SHIPPED'),
      paymentStatuses: history(shippedOrderId, 'PENDING', 'PAID'),
      fulfilments: [
        {
          id: fulfilmentId,
          status: 'SHIPPED',
          lines: [{ line: 0, quantity: 5 }],
          carrier: 'DHL',
          trackingNumber: '00340434161094042557',
          trackingUrl: 'https://www.dhl.de/en/privatkunden.html?piececode=00340434161094042557',
          createdAt: timestamp,
        },
      ],
      returns: [
        returnRequest(returnId, 'We drink tea now.', 2),
        returnRequest(openedReturnId, 'Ground too coarse.'),
        returnRequest(withdrawnReturnId, 'Ordered one too many.'),
      ],
      ...stamps,
    },
  });
}

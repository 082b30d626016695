/** Samples of orders. */
import type { SandboxPaymentProvider } from '../../../src/adapters/payments/sandbox.ts';
import { buildOrderLink } from '../../../src/domains/orders/guests/order-links.ts';
import { buildSeedId, demoAddress, disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createEmptyOrder } from '../../support/insert-empty-order.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const line = ({ ids }: World) => ({
  productId: ids.product ?? '',
  variantId: ids.variant ?? '',
  quantity: 1,
});
const order = (world: World) => ({ path: { ...inShop(world), id: world.ids.order ?? '' } });

const paidOrder = (world: World) => ({ path: { ...inShop(world), id: world.ids.paidOrder ?? '' } });

const oneReturn = (world: World, returnId = world.ids.return ?? '') => ({
  path: { ...inShop(world), id: world.ids.givenOrder ?? '', returnId },
});

const manualOrder = (world: World) => ({
  customerId: world.viewers.customer?.userId,
  market: 'US',
  currency: 'USD',
  lines: [{ type: 'PRODUCT_VARIANT', ...line(world), unitPrice: 4999, totalPrice: 4999 }],
  subtotal: 4999,
  tax: 412,
  shipping: 590,
  total: 6001,
  shippingAddress: demoAddress,
});

const linkRecipient = 'grace-{fresh}@people.example';

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}`;
    const { body } = await t.rest<{ variants: { id: string }[] }>(
      'GET',
      `${base}/products/${world.ids.product}`,
      { as: world.shop.admin },
    );
    world.ids.variant = body.variants[0]?.id ?? '';
    // Only users with an order of the shop may be set as customer.
    if (world.viewers.customer) await createEmptyOrder(t, world.shop, world.viewers.customer);
    await createFixture(t, world, 'order', `${base}/orders`, manualOrder(world));
    const link = buildOrderLink(t.app.services, { id: world.ids.order ?? '' });
    world.ids.linkToken = new URL(link).searchParams.get('token') ?? '';
    await createFixture(t, world, 'shippedOrder', `${base}/orders`, manualOrder(world));
    await createFixture(t, world, 'fulfilment', `${base}/orders/${world.ids.shippedOrder}/fulfilments`, {});
    await createFixture(t, world, 'givenOrder', `${base}/orders`, {
      ...manualOrder(world),
      lines: [{ type: 'PRODUCT_VARIANT', ...line(world), quantity: 2, unitPrice: 2500, totalPrice: 5000 }],
      subtotal: 5000,
      total: 6002,
      status: 'SHIPPED',
    });
    await createFixture(t, world, 'return', `${base}/orders/${world.ids.givenOrder}/returns`, {
      lines: [{ line: 0, quantity: 2 }],
    });
    await createFixture(t, world, 'dueOrder', `${base}/orders`, manualOrder(world));
    await createFixture(t, world, 'paidOrder', `${base}/orders`, manualOrder(world));
    const payment = await t.rest<{ checkoutUrl: string }>(
      'POST',
      `${base}/orders/${world.ids.paidOrder}/payment-link`,
      { as: world.shop.admin, body: {} },
    );
    const sandbox = t.app.services.payments as SandboxPaymentProvider;
    const session = payment.body.checkoutUrl.split('/').at(-1) ?? '';
    await sandbox.applyAction(session, 'pay');
    await t.app.drainJobs();
    await createFixture(t, world, 'failedRefund', `${base}/orders/${world.ids.paidOrder}/refunds`, {
      amount: 50,
    });
    await sandbox.failRefund(session, world.ids.failedRefund ?? '');
    await t.app.drainJobs();
  },
  samples: {
    CreateOrder: (world) => ({ path: inShop(world), body: manualOrder(world) }),
    ListOrders: (world) => ({
      path: inShop(world),
      query: { limit: 5, status: 'PENDING', sort: 'TOTAL_DESC', minTotal: 1, number: 1002 },
    }),
    GetOrder: order,
    UpdateOrder: (world) => ({
      ...order(world),
      body: { id: world.ids.order, shipping: 0, total: 5411 },
    }),
    SetOrderStatus: (world) => ({ ...order(world), body: { status: 'PROCESSING' } }),
    CreatePaymentLink: (world) => ({
      path: { ...inShop(world), id: world.ids.dueOrder ?? '' },
      body: { returnUrl: 'http://shop.test/thanks' },
    }),
    CreateFulfilment: (world) => ({
      ...paidOrder(world),
      body: {
        lines: [{ line: 0, quantity: 1 }],
        carrier: 'DHL',
        trackingNumber: '00340434161094042557',
        trackingUrl: 'https://track.example/00340434161094042557',
      },
    }),
    UpdateFulfilment: (world) => ({
      path: { ...inShop(world), id: world.ids.shippedOrder ?? '', fulfilmentId: world.ids.fulfilment ?? '' },
      body: { trackingNumber: '1Z 999 AA1', status: 'DELIVERED' },
    }),
    RequestReturn: (world) => ({
      path: { ...inShop(world), id: world.ids.shippedOrder ?? '' },
      body: { lines: [{ line: 0, quantity: 1 }], reason: 'Too bitter' },
    }),
    AcceptReturn: (world) => ({
      ...oneReturn(world),
      body: { refund: 0, lines: [{ line: 0, quantity: 1, restock: false }], refusal: 'The other was worn.' },
    }),
    RefuseReturn: (world) => ({ ...oneReturn(world), body: { reason: 'The bag was opened.' } }),
    WithdrawReturn: (world) => oneReturn(world),
    RefundOrder: (world) => ({ ...paidOrder(world), body: { amount: 100, reason: 'Scratched' } }),
    RetryRefund: (world) => ({
      path: { ...paidOrder(world).path, refundId: world.ids.failedRefund ?? '' },
    }),
    ListRefunds: (world) => ({ ...paidOrder(world), query: { limit: 5 } }),
    RevokeOrderLinks: order,
    SendOrderLink: (world) => ({ path: inShop(world), body: { number: 1001, email: 'ada@people.example' } }),
    GetOrderByLink: (world) => ({ path: { ...inShop(world), token: world.ids.linkToken ?? '' } }),
    ClaimOrders: () => ({}),
    ListMyOrders: () => ({ query: { limit: 5 } }),
    SetPaymentStatus: (world) => ({ ...order(world), body: { status: 'PAID' } }),
  },
  demo: {
    ids: {
      order: disposableRecordIds.orderId,
      dueOrder: disposableRecordIds.orderId,
      paidOrder: disposableRecordIds.orderId,
      shippedOrder: disposableRecordIds.shippedOrderId,
      fulfilment: disposableRecordIds.fulfilmentId,
      givenOrder: disposableRecordIds.shippedOrderId,
      return: disposableRecordIds.returnId,
      product: buildSeedId(3, 1),
      variant: buildSeedId(4, 1),
    },
    samples: {
      GetOrderByLink: (world) => ({
        path: { ...inShop(world), token: '{token}' },
        first: [
          {
            operationId: 'CreateOrder',
            body: { ...manualOrder(world), customerId: undefined, contactEmail: linkRecipient },
            take: { created: '/id' },
          },
          { operationId: 'CreateFulfilment', path: { id: '{created}' }, body: { carrier: 'Post' } },
          { outbox: linkRecipient, take: { token: '/orders/view' } },
        ],
      }),
      UpdateOrder: (world) => ({
        ...order(world),
        body: { id: world.ids.order, shipping: 0, total: 3572 },
      }),
      RefuseReturn: (world) => ({
        ...oneReturn(world, disposableRecordIds.openedReturnId),
        body: { reason: 'The bag was opened.' },
      }),
      WithdrawReturn: (world) => oneReturn(world, disposableRecordIds.withdrawnReturnId),
      // Not PAID: the next example needs an amount due.
      SetPaymentStatus: (world) => ({ ...order(world), body: { status: 'FAILED' } }),
      CreatePaymentLink: (world) => ({ ...order(world), body: {} }),
      RefundOrder: (world) => ({
        path: { ...inShop(world), id: disposableRecordIds.paidOrderId },
        body: { amount: 100, reason: 'Scratched' },
      }),
      RetryRefund: (world) => ({
        path: {
          ...inShop(world),
          id: disposableRecordIds.paidOrderId,
          refundId: disposableRecordIds.failedRefundId,
        },
      }),
    },
  },
};

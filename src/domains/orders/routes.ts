/** `/v1/businesses/{businessId}/orders`, `/v1/users/me/orders` and `/v1/users/me/claim-orders` */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  definePutRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const orders = '/v1/businesses/:businessId/orders';
const order = `${orders}/:id` as const;
const oneReturn = `${order}/returns/:returnId` as const;

export const routes = [
  definePostRoute(orders, operations.CreateOrderDocument),
  defineListRoute(orders, operations.ListOrdersDocument, {
    query: ['status', 'statuses', 'customerId', 'userId', 'ids', 'sort'],
    filter: [
      'number',
      'paymentStatuses',
      'market',
      'currency',
      'minTotal',
      'maxTotal',
      'createdFrom',
      'createdTo',
      'updatedFrom',
      'updatedTo',
    ],
    queryAliases: { userId: 'customerId' },
  }),
  definePutRoute(`${orders}/update`, operations.UpdateOrderDocument, { bodyFields: ['id', 'refund'] }),
  defineCustomRoute('PATCH', order, operations.UpdateOrderDocument, {
    bodyFields: ['refund'],
    ignoredFields: ['id'],
  }),
  defineCustomRoute('POST', `${orders}/lookup`, operations.SendOrderLinkDocument),
  defineGetRoute('/v1/businesses/:businessId/order-links/:token', operations.GetOrderByLinkDocument, {
    recordName: 'Order',
  }),
  defineListRoute('/v1/users/me/orders', operations.ListMyOrdersDocument),
  defineCustomRoute('POST', '/v1/users/me/claim-orders', operations.ClaimOrdersDocument),
  defineGetRoute(order, operations.GetOrderDocument, { recordName: 'Order' }),
  // Older clients send the order's own id in these bodies.
  definePutRoute(`${order}/status`, operations.SetOrderStatusDocument, {
    bodyFields: ['refund'],
    ignoredFields: ['id'],
  }),
  definePutRoute(`${order}/payment-status`, operations.SetPaymentStatusDocument, {
    inputAliases: { paymentStatus: 'status' },
    ignoredFields: ['id'],
  }),
  defineCustomRoute('POST', `${order}/payment-link`, operations.CreatePaymentLinkDocument),
  defineCustomRoute('POST', `${order}/revoke-links`, operations.RevokeOrderLinksDocument),
  definePostRoute(`${order}/fulfilments`, operations.CreateFulfilmentDocument),
  ...defineUpdateRoutes(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument),
  definePostRoute(`${order}/returns`, operations.RequestReturnDocument),
  defineCustomRoute('POST', `${oneReturn}/accept`, operations.AcceptReturnDocument),
  defineCustomRoute('POST', `${oneReturn}/refuse`, operations.RefuseReturnDocument),
  defineCustomRoute('POST', `${oneReturn}/withdraw`, operations.WithdrawReturnDocument),
  definePostRoute(`${order}/refunds`, operations.RefundOrderDocument),
  defineCustomRoute('POST', `${order}/refunds/:refundId/retry`, operations.RetryRefundDocument),
  defineListRoute(`${order}/refunds`, operations.ListRefundsDocument),
];

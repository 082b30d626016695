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
  definePostRoute(orders, operations.CreateOrderDocument, { response: 'createOrder.order' }),
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
    response: 'orders',
  }),
  definePutRoute(`${orders}/update`, operations.UpdateOrderDocument, {
    bodyFields: ['id', 'refund'],
    response: 'updateOrder.order',
  }),
  defineCustomRoute('PATCH', order, operations.UpdateOrderDocument, {
    bodyFields: ['refund'],
    ignoredFields: ['id'],
    response: 'updateOrder.order',
  }),
  defineCustomRoute('POST', `${orders}/lookup`, operations.SendOrderLinkDocument, {
    response: 'sendOrderLink',
  }),
  defineListRoute('/v1/users/me/orders', operations.ListMyOrdersDocument, { response: 'me.orders' }),
  defineCustomRoute('POST', '/v1/users/me/claim-orders', operations.ClaimOrdersDocument, {
    response: 'claimOrders',
  }),
  defineGetRoute(order, operations.GetOrderDocument, { response: 'order', recordName: 'Order' }),
  // Older clients send the order's own id in these bodies.
  definePutRoute(`${order}/status`, operations.SetOrderStatusDocument, {
    bodyFields: ['refund'],
    ignoredFields: ['id'],
    response: 'setOrderStatus.order',
  }),
  definePutRoute(`${order}/payment-status`, operations.SetPaymentStatusDocument, {
    inputAliases: { paymentStatus: 'status' },
    ignoredFields: ['id'],
    response: 'setPaymentStatus.order',
  }),
  defineCustomRoute('POST', `${order}/payment-link`, operations.CreatePaymentLinkDocument, {
    response: 'createPaymentLink',
  }),
  defineCustomRoute('POST', `${order}/revoke-links`, operations.RevokeOrderLinksDocument, {
    response: 'revokeOrderLinks.order',
  }),
  definePostRoute(`${order}/fulfilments`, operations.CreateFulfilmentDocument, {
    response: 'createFulfilment.fulfilment',
  }),
  ...defineUpdateRoutes(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument, {
    response: 'updateFulfilment.fulfilment',
  }),
  definePostRoute(`${order}/returns`, operations.RequestReturnDocument, { response: 'requestReturn.return' }),
  defineCustomRoute('POST', `${oneReturn}/accept`, operations.AcceptReturnDocument, {
    response: 'acceptReturn.return',
  }),
  defineCustomRoute('POST', `${oneReturn}/refuse`, operations.RefuseReturnDocument, {
    response: 'refuseReturn.return',
  }),
  defineCustomRoute('POST', `${oneReturn}/withdraw`, operations.WithdrawReturnDocument, {
    response: 'withdrawReturn.return',
  }),
  definePostRoute(`${order}/refunds`, operations.RefundOrderDocument, { response: 'refundOrder.refund' }),
  defineCustomRoute('POST', `${order}/refunds/:refundId/retry`, operations.RetryRefundDocument, {
    response: 'retryRefund.refund',
  }),
  defineListRoute(`${order}/refunds`, operations.ListRefundsDocument, { response: 'refunds' }),
];

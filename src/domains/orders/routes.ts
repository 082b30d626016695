/** `/v1/businesses/{businessId}/orders` */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  definePutRoute,
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
  definePostRoute(`${order}/payment-link`, operations.CreatePaymentLinkDocument, {
    response: 'createPaymentLink',
  }),
  definePostRoute(`${order}/fulfilments`, operations.CreateFulfilmentDocument, {
    response: 'createFulfilment.fulfilment',
  }),
  definePutRoute(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument, {
    response: 'updateFulfilment.fulfilment',
  }),
  definePostRoute(`${order}/returns`, operations.RequestReturnDocument, { response: 'requestReturn.return' }),
  definePostRoute(`${oneReturn}/accept`, operations.AcceptReturnDocument, {
    response: 'acceptReturn.return',
  }),
  definePostRoute(`${oneReturn}/refuse`, operations.RefuseReturnDocument, {
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

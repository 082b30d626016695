/** `/v1/businesses/{businessId}/orders` */
import * as operations from '../../generated/operations.ts';
import { customRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const orders = '/v1/businesses/:businessId/orders';
const order = `${orders}/:id` as const;
const oneReturn = `${order}/returns/:returnId` as const;

export const routes = [
  postRoute(orders, operations.CreateOrderDocument, { answer: 'createOrder.order' }),
  listRoute(orders, operations.ListOrdersDocument, {
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
    rename: { userId: 'customerId' },
    answer: 'orders',
  }),
  putRoute(`${orders}/update`, operations.UpdateOrderDocument, {
    fields: ['id', 'refund'],
    answer: 'updateOrder.order',
  }),
  getRoute(order, operations.GetOrderDocument, { answer: 'order', missing: 'Order' }),
  // Older clients send the order's own id in these bodies.
  putRoute(`${order}/status`, operations.SetOrderStatusDocument, {
    fields: ['refund'],
    drop: ['id'],
    answer: 'setOrderStatus.order',
  }),
  putRoute(`${order}/payment-status`, operations.SetPaymentStatusDocument, {
    alias: { paymentStatus: 'status' },
    drop: ['id'],
    answer: 'setPaymentStatus.order',
  }),
  postRoute(`${order}/payment-link`, operations.CreatePaymentLinkDocument, { answer: 'createPaymentLink' }),
  postRoute(`${order}/fulfilments`, operations.CreateFulfilmentDocument, {
    answer: 'createFulfilment.fulfilment',
  }),
  putRoute(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument, {
    answer: 'updateFulfilment.fulfilment',
  }),
  postRoute(`${order}/returns`, operations.RequestReturnDocument, { answer: 'requestReturn.return' }),
  postRoute(`${oneReturn}/accept`, operations.AcceptReturnDocument, { answer: 'acceptReturn.return' }),
  postRoute(`${oneReturn}/refuse`, operations.RefuseReturnDocument, { answer: 'refuseReturn.return' }),
  customRoute('POST', `${oneReturn}/withdraw`, operations.WithdrawReturnDocument, {
    answer: 'withdrawReturn.return',
  }),
  postRoute(`${order}/refunds`, operations.RefundOrderDocument, { answer: 'refundOrder.refund' }),
  customRoute('POST', `${order}/refunds/:refundId/retry`, operations.RetryRefundDocument, {
    answer: 'retryRefund.refund',
  }),
  listRoute(`${order}/refunds`, operations.ListRefundsDocument, { answer: 'refunds' }),
];

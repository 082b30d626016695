/** `/v1/businesses/{businessId}/orders` */
import * as operations from '../../generated/operations.ts';
import { customRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const orders = '/v1/businesses/:businessId/orders';
const order = `${orders}/:id` as const;
const oneReturn = `${order}/returns/:returnId` as const;

export const routes = [
  postRoute(orders, operations.CreateOrderDocument, { response: 'createOrder.order' }),
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
    queryAliases: { userId: 'customerId' },
    response: 'orders',
  }),
  putRoute(`${orders}/update`, operations.UpdateOrderDocument, {
    bodyFields: ['id', 'refund'],
    response: 'updateOrder.order',
  }),
  getRoute(order, operations.GetOrderDocument, { response: 'order', recordName: 'Order' }),
  // Older clients send the order's own id in these bodies.
  putRoute(`${order}/status`, operations.SetOrderStatusDocument, {
    bodyFields: ['refund'],
    ignoredFields: ['id'],
    response: 'setOrderStatus.order',
  }),
  putRoute(`${order}/payment-status`, operations.SetPaymentStatusDocument, {
    inputAliases: { paymentStatus: 'status' },
    ignoredFields: ['id'],
    response: 'setPaymentStatus.order',
  }),
  postRoute(`${order}/payment-link`, operations.CreatePaymentLinkDocument, { response: 'createPaymentLink' }),
  postRoute(`${order}/fulfilments`, operations.CreateFulfilmentDocument, {
    response: 'createFulfilment.fulfilment',
  }),
  putRoute(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument, {
    response: 'updateFulfilment.fulfilment',
  }),
  postRoute(`${order}/returns`, operations.RequestReturnDocument, { response: 'requestReturn.return' }),
  postRoute(`${oneReturn}/accept`, operations.AcceptReturnDocument, { response: 'acceptReturn.return' }),
  postRoute(`${oneReturn}/refuse`, operations.RefuseReturnDocument, { response: 'refuseReturn.return' }),
  customRoute('POST', `${oneReturn}/withdraw`, operations.WithdrawReturnDocument, {
    response: 'withdrawReturn.return',
  }),
  postRoute(`${order}/refunds`, operations.RefundOrderDocument, { response: 'refundOrder.refund' }),
  customRoute('POST', `${order}/refunds/:refundId/retry`, operations.RetryRefundDocument, {
    response: 'retryRefund.refund',
  }),
  listRoute(`${order}/refunds`, operations.ListRefundsDocument, { response: 'refunds' }),
];

/** `/v1/businesses/{businessId}/orders` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list, update } from '../../rest/row.ts';

const orders = '/v1/businesses/:businessId/orders';
const order = `${orders}/:id` as const;
const oneReturn = `${order}/returns/:returnId` as const;

export const routes = [
  create(orders, operations.CreateOrderDocument, { answer: 'createOrder.order' }),
  list(orders, operations.ListOrdersDocument, {
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
  update(`${orders}/update`, operations.UpdateOrderDocument, {
    fields: ['id', 'refund'],
    answer: 'updateOrder.order',
  }),
  get(order, operations.GetOrderDocument, { answer: 'order', missing: 'Order' }),
  // Older clients send the order's own id in these bodies.
  update(`${order}/status`, operations.SetOrderStatusDocument, {
    fields: ['refund'],
    drop: ['id'],
    answer: 'setOrderStatus.order',
  }),
  update(`${order}/payment-status`, operations.SetPaymentStatusDocument, {
    alias: { paymentStatus: 'status' },
    drop: ['id'],
    answer: 'setPaymentStatus.order',
  }),
  create(`${order}/payment-link`, operations.CreatePaymentLinkDocument, { answer: 'createPaymentLink' }),
  create(`${order}/fulfilments`, operations.CreateFulfilmentDocument, {
    answer: 'createFulfilment.fulfilment',
  }),
  update(`${order}/fulfilments/:fulfilmentId`, operations.UpdateFulfilmentDocument, {
    answer: 'updateFulfilment.fulfilment',
  }),
  create(`${order}/returns`, operations.RequestReturnDocument, { answer: 'requestReturn.return' }),
  create(`${oneReturn}/accept`, operations.AcceptReturnDocument, { answer: 'acceptReturn.return' }),
  create(`${oneReturn}/refuse`, operations.RefuseReturnDocument, { answer: 'refuseReturn.return' }),
  act('POST', `${oneReturn}/withdraw`, operations.WithdrawReturnDocument, {
    answer: 'withdrawReturn.return',
  }),
  create(`${order}/refunds`, operations.RefundOrderDocument, { answer: 'refundOrder.refund' }),
  act('POST', `${order}/refunds/:refundId/retry`, operations.RetryRefundDocument, {
    answer: 'retryRefund.refund',
  }),
  list(`${order}/refunds`, operations.ListRefundsDocument, { answer: 'refunds' }),
];

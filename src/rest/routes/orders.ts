/** `/v1/businesses/{businessId}/orders` and `/v1/payments`. */
import {
  CheckoutDocument,
  CreateOrderDocument,
  GetOrderDocument,
  ListOrdersDocument,
  QuoteDocument,
  SetOrderStatusDocument,
  SetPaymentStatusDocument,
  UpdateOrderDocument,
} from '../../generated/operations.ts';
import { list, pageVariables, paging, type RowRequest, row } from '../row.ts';

const orders = '/v1/businesses/:businessId/orders';
const order = `${orders}/:id`;

/** Older clients send the order's own id in these bodies. */
const statusOf = ({ id: _id, ...body }: RowRequest['body']) => body;

export const orderRows = [
  row('POST', '/v1/payments/quote', QuoteDocument, {
    variables: ({ body: { items, lines = items, ...body } }) => ({ input: { ...body, lines } }),
    body: (data) => data.quote,
  }),
  row('POST', orders, CreateOrderDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createOrder.order,
  }),
  row('GET', orders, ListOrdersDocument, {
    query: {
      ...paging,
      status: 'string',
      statuses: 'strings',
      customerId: 'string',
      userId: 'string',
      ids: 'strings',
    },
    variables: (request) => {
      const { status, statuses, customerId, userId, ids } = request.query;
      return {
        ...request.path,
        ...pageVariables(request),
        status,
        statuses,
        customerId: customerId ?? userId,
        ids,
      };
    },
    body: (data) => list(data.orders),
  }),
  row('POST', `${orders}/checkout`, CheckoutDocument, {
    variables: ({ path, body: { lines, items = lines, quoteId, quote = quoteId, ...body } }) => ({
      ...path,
      input: { ...body, items, quote },
    }),
    body: (data) => data.checkout,
  }),
  row('PUT', `${orders}/update`, UpdateOrderDocument, {
    variables: ({ path, body, version }) => ({ ...path, id: body.id, input: body, version }),
    body: (data) => data.updateOrder.order,
  }),
  row('GET', order, GetOrderDocument, {
    variables: ({ path }) => path,
    body: (data) => data.order,
    missing: 'Order',
  }),
  row('PUT', `${order}/status`, SetOrderStatusDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: statusOf(body), version }),
    body: (data) => data.setOrderStatus.order,
  }),
  row('PUT', `${order}/payment-status`, SetPaymentStatusDocument, {
    variables: ({ path, body: { paymentStatus, status = paymentStatus, ...body }, version }) => ({
      ...path,
      input: { ...statusOf(body), status },
      version,
    }),
    body: (data) => data.setPaymentStatus.order,
  }),
];

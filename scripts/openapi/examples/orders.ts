/** OpenAPI example values for fields of orders, refunds and payment links, by GraphQL coordinate. */
export const fields = {
  'OrderLine.name': 'Cup',
  'Refund.currency': 'USD',
  'PaymentLinkPayload.checkoutUrl': 'https://pay.example/c/018f6f3e',
  'OrderLine.sku': 'CUP-1',
  'OrderLine.variantName': 'Small',
  'CheckoutPayload.checkoutUrl': 'https://pay.example/c/018f6f3e',
};

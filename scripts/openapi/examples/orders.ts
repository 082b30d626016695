/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'OrderLine.name': 'Cup',
  'Refund.currency': 'USD',
  'PaymentLinkPayload.checkoutUrl': 'https://pay.example/c/018f6f3e',
  'OrderLine.sku': 'CUP-1',
  'OrderLine.variantName': 'Small',
  'CheckoutPayload.checkoutUrl': 'https://pay.example/c/018f6f3e',
};

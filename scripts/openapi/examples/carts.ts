/** OpenAPI example values for fields of carts, by GraphQL coordinate. */
export const fields = {
  'Cart.note': 'Please ring twice.',
  'Cart.problems': [{ field: 'lines.0', error: 'OUT_OF_STOCK', message: 'Only 1 left in stock.' }],
  'CartLine.changes': ['PRICE_CHANGED'],
  'MergeCartInput.guestToken': 'eyJhbGciOiJFZERTQSJ9…',
  'CartLine.name': 'Cup',
  'CartLine.sku': 'CUP-1',
  'CartLine.variantName': 'Small',
  'Cart.currency': 'USD',
  'Cart.promoCode': 'WELCOME10',
  'RefusalDetail.field': 'lines.0',
  'RefusalDetail.error': 'OUT_OF_STOCK',
  'RefusalDetail.message': 'Only 1 left in stock.',
};

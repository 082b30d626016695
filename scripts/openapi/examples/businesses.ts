/** OpenAPI example values for fields of businesses, shipping methods, promo codes and roles, by GraphQL coordinate. */
export const fields = {
  'Business.name': 'Tea House',
  'Business.slug': 'tea-house',
  'ShippingMethod.id': 'standard',
  'ShippingMethod.name': 'Standard',
  'PromoCode.code': 'WELCOME10',
  'Role.name': 'EDITOR',
};

/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Business.name': 'Tea House',
  'Business.slug': 'tea-house',
  'ShippingMethod.id': 'standard',
  'ShippingMethod.name': 'Standard',
  'PromoCode.code': 'WELCOME10',
  'Role.name': 'EDITOR',
};

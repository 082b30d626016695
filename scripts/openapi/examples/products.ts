/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Variant.name': 'Small',
  'VariantAttribute.name': 'size',
  'VariantAttribute.value': 'S',
  'Product.slug': 'cup',
  'AttributeFacet.name': 'size',
  'FacetCount.value': 'S',
  'Suggestion.text': 'tea',
  'TextPiece.text': 'Cup',
};

/** OpenAPI example values for fields of products, facets and search suggestions, by GraphQL coordinate. */
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

/** OpenAPI example values for fields of categories, by GraphQL coordinate. */
export const fields = {
  'Category.slug': 'equipment',
  'Category.name': 'Equipment',
  'Category.description': 'For brewing and serving.',
  'CategoryTranslation.locale': 'de',
  'CategoryTranslation.name': 'Zubehör',
};

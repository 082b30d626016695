/** OpenAPI example values for fields of entries and template variables, by GraphQL coordinate. */
export const fields = {
  'Entry.owner': 'collection:01900000-0000-7000-8000-000000000001',
  'TemplateVariable.key': 'order.total',
  'TemplateVariable.label': 'Total',
  'TemplateVariable.description': 'Total of the order.',
  'TemplateVariable.example': '49.99 USD',
};

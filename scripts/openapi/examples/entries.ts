/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Entry.owner': 'collection:01900000-0000-7000-8000-000000000001',
  'TemplateVariable.key': 'order.total',
  'TemplateVariable.label': 'Total',
  'TemplateVariable.description': 'What the order costs.',
  'TemplateVariable.example': '49.99 USD',
};

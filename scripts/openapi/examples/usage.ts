/** OpenAPI example values for fields of API usage, by GraphQL coordinate. */
export const fields = {
  'Usage.kind': 'ROW',
  'Usage.name': 'GET /v1/businesses/{businessId}/products',
  'Usage.client': 'warehouse',
  'Usage.keyName': 'Warehouse',
  'Usage.calls': 1200,
};

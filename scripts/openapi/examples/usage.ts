/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'Usage.kind': 'ROW',
  'Usage.name': 'GET /v1/businesses/{businessId}/products',
  'Usage.client': 'warehouse',
  'Usage.keyName': 'Warehouse',
  'Usage.calls': 1200,
};

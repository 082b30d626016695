/** OpenAPI example values for fields of bulk operations, by GraphQL coordinate. */
export const fields = {
  'BulkOperation.kind': 'IMPORT',
  'BulkOperation.state': 'COMPLETED',
  'BulkOperation.reason': 'UNKNOWN_FIELD: Unknown column "colour".',
  'BulkUpload.uploadUrl': 'https://api.shop.example/bulk/uploads/018f6f3e-7a50-7d1c-8b1a-3f0c2f7e9d11',
  'BulkOperation.resultUrl':
    'https://api.shop.example/bulk/results/018f6f3e-7a50-7d1c-8b1a-3f0c2f7e9d11?expires=1767225600&signature=9f86d081',
  'StartImportInput.content': '{"name":"Cup","slug":"cup"}\n',
  'BulkError.line': 17,
  'BulkError.code': 'VALIDATION_FAILED',
  'BulkErrorDetail.field': 'variants.0.pricing.markets.0.price',
  'BulkErrorDetail.error': 'TOO_SMALL',
};

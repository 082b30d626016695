/** OpenAPI example values for fields of the request log, by GraphQL coordinate. */
const request = {
  protocol: 'REST',
  operation: 'POST /v1/businesses/{businessId}/products',
  code: 'VALIDATION_FAILED',
  message: 'The input is not valid.',
  advice: 'Correct the fields that `details` lists. Repeating the same request fails again.',
};

const prefixed = (type: string, fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${type}.${name}`, value]));

export const fields = {
  ...prefixed('LoggedRequest', {
    ...request,
    requestId: '6f1c0a52-5d0c-4d0e-9a57-6a1f1f0c9d11',
    method: 'POST',
    path: '/v1/businesses/01900000-0000-7001-8000-000000000001/products',
    isWrite: true,
    status: 422,
    details: [{ field: 'name', error: 'REQUIRED', message: 'This field is required.' }],
    durationMs: 4.2,
    caller: 'API_KEY',
    keyId: 'warehouse',
    keyName: 'Warehouse',
    clientName: 'importer',
    apiVersion: '2026-11-18',
    body: { name: '' },
  }),
  ...prefixed('RequestErrorGroup', { ...request, requests: 12, clients: 1, lastRequestId: 'a1b2c3' }),
  ...prefixed('RequestClient', {
    protocol: 'REST',
    caller: 'API_KEY',
    keyId: 'warehouse',
    keyName: 'Warehouse',
    clientName: 'importer',
    apiVersion: '2026-11-18',
    requests: 420,
    errors: 12,
  }),
  ...prefixed('RequestLogSettings', {
    enabled: true,
    retentionDays: 7,
    maxRequests: 20_000,
    skippedToday: 0,
  }),
};

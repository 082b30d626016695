/** Endpoints of branding, which the gateway adds to the contract. */
const branding = {
  businessId: 'string',
  logo: 'any?',
  accent: 'string',
  accentText: 'string',
  background: 'string',
  backgroundText: 'string',
  shopUrl: 'string?',
  replyTo: 'string?',
  version: 'integer',
  createdAt: 'integer',
  updatedAt: 'integer',
} as const;

const update = {
  body: ['logoId', 'accent', 'background', 'shopUrl', 'replyTo'],
  answers: [branding],
} as const;

export const brandingEndpoints = {
  'GET /v1/businesses/{businessId}/branding': { answers: [branding] },
  'PUT /v1/businesses/{businessId}/branding': update,
  'PATCH /v1/businesses/{businessId}/branding': update,
} as const;

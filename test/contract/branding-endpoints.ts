/** Endpoints of branding, mail templates and order links, which the gateway adds to the contract. */
const branding = {
  businessId: 'string',
  logo: 'any?',
  accent: 'string',
  accentText: 'string',
  background: 'string',
  backgroundText: 'string',
  shopUrl: 'string?',
  orderUrl: 'string?',
  replyTo: 'string?',
  defaultLocale: 'string',
  version: 'integer',
  createdAt: 'integer',
  updatedAt: 'integer',
} as const;

const update = {
  body: ['logoId', 'accent', 'background', 'shopUrl', 'orderUrl', 'replyTo', 'defaultLocale'],
  answers: [branding],
} as const;

const mailTemplate = {
  businessId: 'string',
  kind: 'string',
  locale: 'string',
  subject: 'string',
  html: 'string',
  text: 'string?',
  isCustomized: 'boolean',
  version: 'integer',
  updatedAt: 'integer?',
} as const;

const templateDetails = {
  ...mailTemplate,
  placeholders: [{ name: 'string', description: 'string', example: 'string' }],
} as const;

const linkedOrder = {
  orderId: 'string',
  businessId: 'string',
  number: 'integer',
  status: 'string',
  currentPaymentStatus: 'string',
  currency: 'string',
  lines: ['any'],
  subtotal: 'integer',
  discount: 'integer',
  tax: 'integer',
  shipping: 'integer',
  total: 'integer',
  refunded: 'integer',
  fulfilments: ['any'],
  createdAt: 'integer',
} as const;

const draft = ['subject', 'html', 'text'];
const mailTemplates = '/v1/businesses/{businessId}/mail-templates';
const editTemplate = { body: draft, answers: [templateDetails] } as const;

export const brandingEndpoints = {
  'GET /v1/businesses/{businessId}/order-links/{token}': { answers: [linkedOrder] },
  [`GET ${mailTemplates}`]: { query: ['kind', 'locale'], answers: [{ templates: [mailTemplate] }] },
  [`GET ${mailTemplates}/{kind}/{locale}`]: { answers: [templateDetails] },
  [`PUT ${mailTemplates}/{kind}/{locale}`]: editTemplate,
  [`PATCH ${mailTemplates}/{kind}/{locale}`]: editTemplate,
  [`DELETE ${mailTemplates}/{kind}/{locale}`]: { answers: [templateDetails] },
  [`POST ${mailTemplates}/{kind}/{locale}/preview`]: {
    body: draft,
    answers: [{ subject: 'string', html: 'string', text: 'string' }],
  },
  [`POST ${mailTemplates}/{kind}/{locale}/test`]: { body: draft, answers: [{ email: 'string' }] },
  'GET /v1/businesses/{businessId}/branding': { answers: [branding] },
  'PUT /v1/businesses/{businessId}/branding': update,
  'PATCH /v1/businesses/{businessId}/branding': update,
} as const;

/**
 * The one list of domains, in the order in which their records need each other. Each name is that of a folder here and,
 * where there is something to say, of files in prisma/models, src/http/pages/examples,
 * scripts/openapi/examples, test and test/parity/samples. `npm run generate` gathers what they bring.
 */
export const domains = [
  'blocks',
  'businesses',
  'media',
  'branding',
  'mail-templates',
  'groups',
  'categories',
  'products',
  'pricing',
  'checkout',
  'orders',
  'carts',
  'payments',
  'collections',
  'entries',
  'newsletter',
  'users',
  'invitations',
  'webhooks',
  'bulk',
  'audit-log',
  'usage',
  'request-log',
  'cross-domain',
] as const;


/** OpenAPI tags: groups of operations in API references. */
import type { RestRoute } from '../../src/rest/route.ts';

/** The first path segment that names a noun: `products` in `/v1/businesses/:businessId/products/:id`. */
export function tagOf(route: RestRoute): string {
  const [, , first = '', , noun] = route.path.split('/');
  const name = (first === 'businesses' && noun) || first;
  return siblingTags[name] ?? name;
}

/** Tags of paths that are siblings of their resource, because any segment below the resource may be a slug. */
const siblingTags: Readonly<Record<string, string>> = {
  'order-links': 'orders',
  'product-facets': 'products',
  'product-highlights': 'products',
  'product-suggestions': 'products',
  'entry-previews': 'entries',
  'request-errors': 'requests',
  'request-clients': 'requests',
  'request-log-settings': 'requests',
};

const descriptions: Readonly<Record<string, string>> = {
  businesses: 'Tenants: every other record belongs to one. The creator of a business becomes its ADMIN.',
  markets:
    'Sales regions of a business, each with a currency and a tax rate. Every `marketId` is the code of a market.',
  'shipping-methods':
    'Shipping methods of a business, with a price per market and an order value above which shipping is free.',
  'promo-codes': 'Discounts: a percentage, a fixed amount or free shipping, with dates and limits.',
  'customer-groups':
    'Groups of customers with their own prices. The `groupId` of a price is the id of a group.',
  roles: 'Named sets of permissions. A new business has ADMIN, MANAGER and EDITOR.',
  members: 'Staff of a business and their roles.',
  invitations: 'Invitations by mail to become a member of a business, valid for seven days.',
  products: 'Catalogue with variants, prices per market and stock. Visitors see ACTIVE products only.',
  categories: 'Category tree of a business. The slug of a category is the `category` of its products.',
  branding: 'Appearance of a business in mails and pages: logo, colours, shop address and templates.',
  'mail-templates': 'Templates of the mails to customers, per kind and locale, with preview and test mail.',
  media: 'Uploaded files, with images in several widths. Served publicly at `/media/{id}/{name}`.',
  'bulk-operations': 'Imports and exports of many records as background jobs, in JSON lines or CSV.',
  payments:
    'Price of a cart with tax, shipping and discount, as a quote that checkout accepts for 15 minutes.',
  carts:
    'Carts of customers and guests, stored for 30 days. Every read recalculates prices and reports changes.',
  orders:
    'Orders with a status history for the order and one for its payment. Checkout reserves stock and creates a payment page.',
  collections: 'Content types. A collection of type NEWSLETTER also has plans, subscribers and sends.',
  entries: 'Content items with the blocks of their collection, or attached to an order.',
  users:
    'Accounts: registration, sign-in by password, identity provider or as a guest, profile and API keys.',
  changes:
    'Change history of a business: record, actor, values before and after. Read-only, stored for 400 days.',
  usage: 'API usage of members and their keys, by operation, field and path. Stored for 90 days.',
  requests:
    'Log of the requests that addressed a business, with errors, clients and settings. Stored for 7 days.',
  subscriptions: 'Newsletter subscriptions: confirmation, change of plan, cancellation and resumption.',
  webhooks: 'Endpoints that receive the events of a business, with their deliveries and retries.',
};

/** `promo-codes` reads "Promo codes". */
const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

export const tagsOf = (routes: readonly RestRoute[]) =>
  [...new Set(routes.map(tagOf))].map((name) => ({
    name,
    'x-displayName': titleOf(name),
    description: descriptions[name] ?? `Everything under \`/${name}\`.`,
  }));

/** The groups of the REST reference. */
import type { RestRoute } from '../../src/rest/route.ts';

/** The first path segment that names a noun: `products` in `/v1/businesses/:businessId/products/:id`. */
export function tagOf(route: RestRoute): string {
  const [, , first = '', , noun] = route.path.split('/');
  const name = (first === 'businesses' && noun) || first;
  return homes[name] ?? name;
}

/** What stands beside its noun on the wire, because any word below may be a slug. */
const homes: Readonly<Record<string, string>> = {
  'product-facets': 'products',
  'product-highlights': 'products',
  'product-suggestions': 'products',
  'entry-previews': 'entries',
};

const descriptions: Readonly<Record<string, string>> = {
  businesses: 'The tenants: everything else belongs to one. Who creates a business becomes its ADMIN.',
  markets:
    'Where a business sells, each with a currency and a tax rate. A `marketId` anywhere is the code of one.',
  'shipping-methods': 'How a business ships, with a price per market and an amount above which it is free.',
  'promo-codes': 'Discounts: a percentage, a fixed amount or free shipping, with dates and limits.',
  'customer-groups':
    'Customers to whom a business sells at prices of their own. The `groupId` of a price is the id of one.',
  roles: 'Named sets of permissions. Every business begins with ADMIN, MANAGER and EDITOR.',
  members: 'Who holds which role in a business.',
  products: 'The catalogue, with variants, prices per market and stock. Visitors see what is ACTIVE.',
  media: 'Uploaded files, with images in several widths. Served to everybody at `/media/{id}/{name}`.',
  'bulk-operations': 'Imports and exports of whole lists, as JSON lines or CSV, in the background.',
  payments: 'What a cart costs: tax, shipping and discount, as a quote that checkout honours for 15 minutes.',
  carts: 'What somebody may buy, kept for 30 days. Priced by every read, with what has changed since.',
  orders:
    'Orders with two histories, one of the order and one of its payment. Checkout takes stock and opens a page to pay on.',
  collections: 'Schemas of content. One of type NEWSLETTER also has plans, subscribers and sends.',
  entries: 'Content that follows the blocks of its collection, or hangs on an order.',
  users:
    'Accounts: registering, signing in by password, identity provider or as a guest, profile and API keys.',
  changes: 'What was changed in a business, by whom and how. Only read, and for 400 days.',
  usage: 'What the API keys of members were used for, by operation, field and path. Kept for 90 days.',
  subscriptions:
    'A place on the list of a newsletter: confirmed, changed to another plan, ended and resumed.',
  webhooks: 'Addresses that a business is told at, with every delivery and a way to repeat it.',
};

/** `promo-codes` reads "Promo codes". */
const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

export const tagsOf = (routes: readonly RestRoute[]) =>
  [...new Set(routes.map(tagOf))].map((name) => ({
    name,
    'x-displayName': titleOf(name),
    description: descriptions[name] ?? `Everything under \`/${name}\`.`,
  }));

/** Puts the demo business into a database. Running it again changes nothing. */

import { hashPassword } from '../auth/passwords.ts';
import { startingRoles } from '../auth/permissions.ts';
import { insertRow } from '../db/rows.ts';
import type { Db, Queries } from '../db/sql.ts';
import { slugify } from '../lib/slug.ts';
import { seedContent } from './content.ts';
import { demo, markets, promoCodes, seedId, shippingMethods } from './data.ts';
import { insertProducts, type NewProduct } from './insert-products.ts';
import { products } from './products-data.ts';

/** The day the demo shop opened. */
const opened = 1_735_689_600;
const stamps = { createdAt: opened, updatedAt: opened };

/** Returns false when the demo business is there already. */
export async function seedDemo(db: Db): Promise<boolean> {
  const password = await hashPassword(demo.password);
  return db.transaction(async (tx) => {
    const created = await insertRow(tx, 'businesses', {
      id: demo.businessId,
      name: 'Demo Coffee',
      slug: 'demo',
      ...stamps,
    });
    if (!created) return false;
    await seedPeople(tx, password);
    await seedConfiguration(tx);
    await insertProducts(tx, demo.businessId, products.map(toProduct));
    await seedContent(tx, opened);
    return true;
  });
}

async function seedPeople(tx: Queries, passwordHash: string) {
  const person = { passwordHash, isConfirmed: true, phoneNumbers: [], ...stamps };
  await insertRow(tx, 'users', {
    id: demo.adminId,
    name: 'Demo Admin',
    email: demo.email,
    onboardingCompleted: true,
    ...person,
  });
  await insertRow(tx, 'users', {
    id: demo.customerId,
    name: 'Demo Customer',
    email: demo.customerEmail,
    ...person,
  });
  for (const [index, { name, permissions }] of startingRoles.entries()) {
    await insertRow(tx, 'roles', {
      id: seedId(1, index + 1),
      businessId: demo.businessId,
      name,
      permissions,
      ...stamps,
    });
  }
  await insertRow(tx, 'memberships', {
    businessId: demo.businessId,
    userId: demo.adminId,
    roleId: seedId(1, 1),
    createdAt: opened,
  });
}

async function seedConfiguration(tx: Queries) {
  const { businessId } = demo;
  for (const market of markets)
    await insertRow(tx, 'markets', { businessId, key: market.code.toLowerCase(), ...market, ...stamps });
  for (const { prices, ...method } of shippingMethods) {
    await insertRow(tx, 'shipping_methods', {
      businessId,
      ...method,
      prices: JSON.stringify(prices),
      ...stamps,
    });
  }
  for (const [index, promo] of promoCodes.entries()) {
    await insertRow(tx, 'promo_codes', {
      id: seedId(2, index + 1),
      businessId,
      key: promo.code.toLowerCase(),
      ...promo,
      ...stamps,
    });
  }
}

function toProduct(item: (typeof products)[number], index: number): NewProduct {
  const slug = slugify(item.name);
  return {
    id: seedId(3, index + 1),
    name: item.name,
    slug,
    category: item.category,
    description: item.description,
    status: item.status ?? 'ACTIVE',
    gallery: [
      { id: seedId(5, index + 1), url: `https://images.demo.example/${slug}.jpg`, mimeType: 'image/jpeg' },
    ],
    createdAt: opened + index * 86_400,
    variants: item.variants.map((variant, position) => ({
      id: seedId(4, index * 16 + position + 1),
      name: variant.name,
      sku: variant.sku,
      attributes: Object.entries(variant.attributes).map(([name, value]) => ({ name, value })),
      pricing: {
        markets: [
          {
            marketId: 'US',
            currency: 'USD',
            price: variant.usd,
            ...(variant.was ? { compareAtPrice: variant.was.usd } : {}),
          },
          {
            marketId: 'EU',
            currency: 'EUR',
            price: variant.eur,
            ...(variant.was ? { compareAtPrice: variant.was.eur } : {}),
          },
        ],
      },
      inventory: {
        tracked: variant.stock !== undefined,
        quantity: variant.stock ?? 0,
        lowStockThreshold: variant.low,
      },
    })),
  };
}

/** Benchmark fixture: a database with a large catalogue, and an access token of the demo admin. */

import { loadGatewayKeys } from '../src/auth/gateway-keys.ts';
import { createJwtService } from '../src/auth/sign-and-verify-tokens.ts';
import { migrate } from '../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../src/db/open-db.ts';
import { createCursorCodec } from '../src/lib/paging.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedGeneratedCatalogue } from '../src/seed/generated-catalogue.ts';
import { buildSeedId, demoShopIdsAndLogins } from '../src/seed/shop-data.ts';

export interface World {
  businessId: string;
  /** Businesses for new products, so that every round lists the same products of `businessId`. */
  bareShop: string;
  duetShop: string;
  token: string;
  /** Id of a random product among the newest `count`. */
  randomId(count: number): string;
  /** Cursor of the page that follows a product. */
  cursorAfter(id: string): string;
  /** Checkout of two random products outside of the newest `hotProducts`, so that stock and version of those do not change. */
  checkoutBody(): string;
  /** Checkout of the product that all other callers buy at the same time, and of a random one. */
  hotCheckoutBody(): string;
}

/** Environment of a gateway under load: no rate limits and no unpaid-order limit. */
export const unlimitedEnv = {
  NODE_ENV: 'test',
  RATE_LIMIT: 'off',
  SEED_DEMO: 'off',
  UNPAID_ORDERS_PER_CUSTOMER: '1000000',
  UNPAID_ORDERS_PER_ADDRESS: '1000000',
};

/** Number of newest products that hot cases read repeatedly. */
export const hotProducts = 1000;

export async function createWorld(url: string, products: number): Promise<World> {
  const db = await openDb({ url });
  await migrate(db);
  await seedDemo(db);
  await seedGeneratedCatalogue(db, demoShopIdsAndLogins.businessId, products, (done) => {
    if (process.stdout.isTTY) process.stdout.write(`\rseeding ${done}/${products}`);
  });
  const [bareShop, duetShop, roleId] = [buildSeedId(0x200, 1), buildSeedId(0x200, 2), buildSeedId(0x201, 1)];
  const stamps = { createdAt: 1, updatedAt: 1 };
  for (const id of [bareShop, duetShop])
    await db.prisma.business.create({ data: { id, name: id, slug: id, ...stamps } });
  const permissions = ['ADMIN'];
  await db.prisma.role.create({
    data: { id: roleId, businessId: duetShop, name: 'ADMIN', permissions, ...stamps },
  });
  await db.prisma.membership.create({
    data: { businessId: duetShop, userId: demoShopIdsAndLogins.adminId, roleId, createdAt: 1 },
  });
  // Enough for all checkouts of a run.
  await db.sql('update variants set quantity = 1000000 where business_id = $1 and position = 1', [
    demoShopIdsAndLogins.businessId,
  ]);
  await db.script('vacuum analyze');
  const keys = await loadGatewayKeys(db, undefined);
  const { token } = await createJwtService(keys).issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    email: demoShopIdsAndLogins.email,
    provider: 'EMAIL',
  });
  await db.close();
  const coldNumber = () => 2 + Math.floor(Math.random() * Math.max(1, products - hotProducts - 1));
  const { encode } = createCursorCodec(keys.secret, `products:${demoShopIdsAndLogins.businessId}`);
  return {
    businessId: demoShopIdsAndLogins.businessId,
    bareShop,
    duetShop,
    token,
    randomId: (count) => buildSeedId(0x100, products - Math.floor(Math.random() * Math.min(count, products))),
    cursorAfter: encode,
    checkoutBody: () => checkoutBodyOf(coldNumber(), coldNumber()),
    hotCheckoutBody: () => checkoutBodyOf(1, coldNumber()),
  };
}

/** Checkout body for one unit of each of these catalogue products, by their numbers. */
export function checkoutBodyOf(...numbers: number[]): string {
  const items = [...new Set(numbers)].map((number) => ({
    productId: buildSeedId(0x100, number),
    variantId: buildSeedId(0x101, number * 3),
    quantity: 1,
  }));
  return JSON.stringify({ market: 'US', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard', items });
}

let createdProducts = 0;

export function newProduct(): string {
  createdProducts += 1;
  const name = `bench-${process.pid}-${createdProducts}`;
  const markets = [
    { marketId: 'US', currency: 'USD', price: 1000 },
    { marketId: 'EU', currency: 'EUR', price: 900 },
  ];
  const variants = ['S', 'M', 'L'].map((size) => ({
    name: size,
    sku: `${name}-${size}`,
    attributes: [],
    pricing: { markets },
    inventory: { tracked: true, quantity: 5 },
  }));
  const description = 'Made by the benchmark.';
  return JSON.stringify({ name, slug: name, description, gallery: [], blocks: [], variants });
}

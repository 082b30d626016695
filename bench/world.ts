/** What is measured against: a PostgreSQL with a large catalogue, and somebody who is signed in. */
import { loadSigningKeys } from '../src/auth/signing-keys.ts';
import { createTokens } from '../src/auth/tokens.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { createCursorCodec } from '../src/lib/paging.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedCatalogue } from '../src/seed/sample-catalogue.ts';
import { demo, seedId } from '../src/seed/shop-data.ts';

export interface World {
  businessId: string;
  /** New products go to businesses of their own, so that every round lists the same ones. */
  bareShop: string;
  duetShop: string;
  token: string;
  /** The id of one of `count` products. */
  anyId(count: number): string;
  /** The cursor after a product. */
  cursorAfter(id: string): string;
  /** What somebody buys: one of the products that are not among the newest, whose stock and version stay as they are. */
  bought(): string;
}

/** For gateways under load: nobody is asked to wait or to pay first. */
export const unlimited = {
  NODE_ENV: 'test',
  RATE_LIMIT: 'off',
  SEED_DEMO: 'off',
  UNPAID_ORDERS_PER_CUSTOMER: '1000000',
  UNPAID_ORDERS_PER_ADDRESS: '1000000',
};

/** So many of the newest products are asked for again and again. */
export const hot = 1000;

export async function createWorld(url: string, products: number): Promise<World> {
  const db = await openDb({ url });
  await migrate(db);
  await seedDemo(db);
  await seedCatalogue(db, demo.businessId, products, (done) => {
    if (process.stdout.isTTY) process.stdout.write(`\rseeding ${done}/${products}`);
  });
  const [bareShop, duetShop, roleId] = [seedId(0x200, 1), seedId(0x200, 2), seedId(0x201, 1)];
  const stamps = { createdAt: 1, updatedAt: 1 };
  for (const id of [bareShop, duetShop])
    await db.prisma.business.create({ data: { id, name: id, slug: id, ...stamps } });
  const permissions = ['ADMIN'];
  await db.prisma.role.create({
    data: { id: roleId, businessId: duetShop, name: 'ADMIN', permissions, ...stamps },
  });
  await db.prisma.membership.create({
    data: { businessId: duetShop, userId: demo.adminId, roleId, createdAt: 1 },
  });
  await db.script('vacuum analyze');
  const keys = await loadSigningKeys(db, undefined);
  const { token } = await createTokens(keys).issueAccess({
    sub: demo.adminId,
    email: demo.email,
    provider: 'EMAIL',
  });
  await db.close();
  const { encode } = createCursorCodec(keys.secret, `products:${demo.businessId}`);
  return {
    businessId: demo.businessId,
    bareShop,
    duetShop,
    token,
    anyId: (count) => seedId(0x100, products - Math.floor(Math.random() * Math.min(count, products))),
    cursorAfter: encode,
    bought: () => boughtOf(1 + Math.floor(Math.random() * Math.max(1, products - hot))),
  };
}

/** One of a product of the catalogue, by its number. */
export function boughtOf(number: number): string {
  const items = [{ productId: seedId(0x100, number), variantId: seedId(0x101, number * 3), quantity: 1 }];
  return JSON.stringify({ market: 'US', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard', items });
}

let made = 0;

export function newProduct(): string {
  made += 1;
  const name = `bench-${process.pid}-${made}`;
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

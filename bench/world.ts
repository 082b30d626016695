/** What is measured against: a PostgreSQL with a large catalogue, and somebody who is signed in. */
import { loadKeys } from '../src/auth/keys.ts';
import { createTokens } from '../src/auth/tokens.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { cursors } from '../src/lib/paging.ts';
import { seedCatalogue } from '../src/seed/catalogue.ts';
import { demo, seedId } from '../src/seed/data.ts';
import { seedDemo } from '../src/seed/demo.ts';

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
}

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
  const keys = await loadKeys(db, undefined);
  const { token } = await createTokens(keys).access({
    sub: demo.adminId,
    email: demo.email,
    provider: 'EMAIL',
  });
  await db.close();
  const { encode } = cursors(keys.secret, `products:${demo.businessId}`);
  return {
    businessId: demo.businessId,
    bareShop,
    duetShop,
    token,
    anyId: (count) => seedId(0x100, products - Math.floor(Math.random() * Math.min(count, products))),
    cursorAfter: encode,
  };
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

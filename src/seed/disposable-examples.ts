/** Seeds records that the examples of the REST reference update and delete. */
import type { QueryHandle } from '../db/handles.ts';
import { seedCarts } from './carts.ts';
import { demoContentIds } from './content-data.ts';
import { insertSeedProducts } from './insert-products.ts';
import { seedOrders } from './orders.ts';
import { seedPayments } from './payments.ts';
import { buildSeedId, demoShopIdsAndLogins, demoWholesaleGroup, disposableRecordIds } from './shop-data.ts';

const { businessId } = demoShopIdsAndLogins;

/** `opened` is the Unix time of the opening day. */
export async function seedDisposableExamples(
  queries: QueryHandle,
  opened: number,
  publicUrl: string,
): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  await seedMarketAndShipping(queries, stamps);
  await seedStaff(queries, stamps);
  await seedBusinesses(queries, stamps);
  await seedSession(queries, stamps);
  await seedGroups(queries, stamps);
  await seedOrders(queries, stamps);
  await seedPayments(queries, publicUrl);
  await seedCarts(queries);
  await seedUploads(queries, stamps);
  await insertSeedProducts(queries, businessId, [
    {
      id: disposableRecordIds.productId,
      name: 'Travel mug, first edition',
      slug: 'travel-mug-first-edition',
      category: 'gear',
      description: 'Sold out and not coming back.',
      status: 'DRAFT',
      gallery: [],
      createdAt: opened,
      variants: [],
    },
  ]);
  const statuses = (id: string, status: string) => [{ id, status, changedBy: 'SYSTEM', timestamp: opened }];
  await queries.prisma.collection.create({
    data: {
      id: disposableRecordIds.collectionId,
      businessId,
      name: 'Old menus',
      slug: 'old-menus',
      type: 'STANDARD',
      statuses: statuses(disposableRecordIds.collectionId, 'DRAFT'),
      document: { description: 'What we served before.', blocks: [], plans: [] },
      ...stamps,
    },
  });
  await queries.prisma.collection.create({
    data: {
      id: disposableRecordIds.newsletterId,
      businessId,
      name: 'Tasting circle',
      slug: 'tasting-circle',
      type: 'NEWSLETTER',
      statuses: statuses(disposableRecordIds.newsletterId, 'PUBLISHED'),
      document: {
        description: 'Who comes on Friday, and what for. It asks whether an address wants it.',
        blocks: ['subject', 'title'].map((id) => ({ id, type: 'TEXT', required: true })),
        plans: [],
        doubleOptIn: true,
      },
      ...stamps,
    },
  });
  await queries.prisma.entry.create({
    data: {
      id: disposableRecordIds.entryId,
      businessId,
      owner: `collection:${demoContentIds.letterId}`,
      locale: 'en',
      blocks: [
        { id: 'subject', type: 'TEXT', value: 'A letter that was never sent' },
        { id: 'title', type: 'TEXT', value: 'A letter that was never sent' },
        { id: 'body', type: 'TEXT', value: '<p>Too late for this one.</p>' },
      ],
      statuses: statuses(disposableRecordIds.entryId, 'DRAFT'),
      ...stamps,
    },
  });
}

interface Stamps {
  createdAt: number;
  updatedAt: number;
}

/** A second business of the demo admin, and one where another user is ADMIN. */
async function seedBusinesses({ prisma }: QueryHandle, stamps: Stamps) {
  const { businessId: stallId, roasteryId, baristaId } = disposableRecordIds;
  const [stallRoleId, adminRoleId, helperRoleId] = [buildSeedId(1, 6), buildSeedId(1, 7), buildSeedId(1, 8)];
  const { createdAt } = stamps;
  await prisma.business.createMany({
    data: [
      { id: stallId, name: 'Market stall', slug: 'demo-stall', ...stamps },
      { id: roasteryId, name: 'Roastery next door', slug: 'demo-roastery', ...stamps },
    ],
  });
  const adminRole = { name: 'ADMIN', permissions: ['ADMIN'], ...stamps };
  await prisma.role.createMany({
    data: [
      { id: stallRoleId, businessId: stallId, ...adminRole },
      { id: adminRoleId, businessId: roasteryId, ...adminRole },
      { id: helperRoleId, businessId: roasteryId, name: 'HELPER', permissions: [], ...stamps },
    ],
  });
  await prisma.membership.createMany({
    data: [
      { businessId: stallId, userId: demoShopIdsAndLogins.adminId, roleId: stallRoleId, createdAt },
      { businessId: roasteryId, userId: baristaId, roleId: adminRoleId, createdAt },
      { businessId: roasteryId, userId: demoShopIdsAndLogins.adminId, roleId: helperRoleId, createdAt },
    ],
  });
}

/** Session of the demo admin on a lost phone, to revoke. */
async function seedSession({ prisma }: QueryHandle, { createdAt }: Stamps) {
  const common = {
    userId: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
    address: '192.0.2.7',
    createdAt,
  } as const;
  await prisma.session.createMany({
    skipDuplicates: true,
    data: {
      id: disposableRecordIds.sessionId,
      ...common,
      jtiHash: 'no-matching-token',
      lastSeenAt: createdAt,
    },
  });
}

async function seedMarketAndShipping({ prisma }: QueryHandle, stamps: Stamps) {
  const code = disposableRecordIds.marketCode;
  await prisma.market.create({
    data: { businessId, key: code.toLowerCase(), code, currency: 'CHF', taxBps: 810, ...stamps },
  });
  await prisma.shippingMethod.create({
    data: {
      businessId,
      id: disposableRecordIds.shippingMethodId,
      name: 'Pick up at the bar',
      prices: [{ marketId: 'EU', price: 0 }],
      ...stamps,
    },
  });
  const promo = { code: 'SUMMER', type: 'FIXED', amount: 500, currency: 'EUR' } as const;
  await prisma.promoCode.create({
    data: {
      id: disposableRecordIds.promoCodeId,
      businessId,
      key: 'summer',
      ...promo,
      endsAt: stamps.createdAt + 1,
      ...stamps,
    },
  });
}

/** Staff without a password, who cannot sign in. */
async function seedStaff({ prisma }: QueryHandle, stamps: Stamps) {
  const { clerkRoleId, internRoleId, baristaId, formerBaristaId } = disposableRecordIds;
  await prisma.role.createMany({
    data: [
      { id: clerkRoleId, businessId, name: 'CLERK', permissions: ['ORDERS_READ'], ...stamps },
      { id: internRoleId, businessId, name: 'INTERN', permissions: [], ...stamps },
    ],
  });
  await prisma.user.createMany({
    data: [
      {
        id: baristaId,
        name: 'Demo Barista',
        email: 'barista@demo.example',
        isConfirmed: true,
        phoneNumbers: [],
        ...stamps,
      },
      {
        id: formerBaristaId,
        name: 'Old Barista',
        email: 'old@demo.example',
        isConfirmed: true,
        phoneNumbers: [],
        ...stamps,
      },
    ],
    skipDuplicates: true,
  });
  await prisma.membership.createMany({
    data: [baristaId, formerBaristaId].map((userId) => ({
      businessId,
      userId,
      roleId: clerkRoleId,
      createdAt: stamps.createdAt,
    })),
  });
}

/** A customer group to delete, and a member to remove from another. */
async function seedGroups({ prisma }: QueryHandle, stamps: Stamps) {
  await prisma.customerGroup.create({
    data: { businessId, id: disposableRecordIds.customerGroupId, name: 'Founders', ...stamps },
  });
  await prisma.customerGroupMember.create({
    data: {
      businessId,
      groupId: demoWholesaleGroup.id,
      userId: disposableRecordIds.baristaId,
      createdAt: stamps.createdAt,
    },
  });
}

/** Uploads that were started but have no files. */
async function seedUploads({ prisma }: QueryHandle, stamps: Stamps) {
  const common = { businessId, fileName: 'cup.jpg', mimeType: 'image/jpeg', size: 48_213, ...stamps };
  await prisma.mediaFile.createMany({
    data: [disposableRecordIds.mediaId, disposableRecordIds.oldMediaId].map((id) => ({ id, ...common })),
  });
  const lines = { kind: 'IMPORT', resource: 'PRODUCTS', format: 'JSONL', state: 'UPLOADING' };
  await prisma.bulkOperation.createMany({
    data: [disposableRecordIds.bulkId, disposableRecordIds.oldBulkId].map((id) => ({
      ...{ id, businessId, userId: demoShopIdsAndLogins.adminId },
      ...lines,
      ...stamps,
    })),
  });
}

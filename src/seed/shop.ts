/** Seeds the demo business, its users and roles, and its markets, shipping methods and promo codes. */
import { defaultRoles } from '../auth/permissions.ts';
import type { QueryHandle } from '../db/handles.ts';
import {
  demoAddress,
  demoCategories,
  demoCategoryId,
  demoMarkets,
  demoPromoCodes,
  demoShippingMethods,
  demoShop,
  demoWholesaleGroup,
  seedId,
} from './shop-data.ts';

const { businessId } = demoShop;

/** Returns false when the demo business exists already. */
export async function seedBusiness({ prisma }: QueryHandle, opened: number): Promise<boolean> {
  const { count } = await prisma.business.createMany({
    data: [{ id: businessId, name: 'Demo Coffee', slug: 'demo', createdAt: opened, updatedAt: opened }],
    skipDuplicates: true,
  });
  return count > 0;
}

export async function seedUsersAndRoles(
  { prisma }: QueryHandle,
  opened: number,
  passwordHash: string,
): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  const person = { passwordHash, isConfirmed: true, phoneNumbers: [], ...stamps };
  await prisma.user.createMany({
    data: [
      {
        id: demoShop.adminId,
        name: 'Demo Admin',
        email: demoShop.email,
        onboardingCompleted: true,
        ...person,
      },
      {
        id: demoShop.customerId,
        name: demoAddress.name,
        email: demoShop.customerEmail,
        addresses: [
          {
            id: 'home',
            street: demoAddress.line1,
            city: demoAddress.city,
            state: demoAddress.region,
            zip: demoAddress.postalCode,
            country: demoAddress.country,
          },
        ],
        ...person,
      },
    ],
    skipDuplicates: true,
  });
  await prisma.role.createMany({
    data: defaultRoles.map(({ name, permissions }, index) => ({
      id: seedId(1, index + 1),
      businessId,
      name,
      permissions: [...permissions],
      ...stamps,
    })),
  });
  await prisma.membership.create({
    data: { businessId, userId: demoShop.adminId, roleId: seedId(1, 1), createdAt: opened },
  });
}

export async function seedDemoShopSettings({ prisma }: QueryHandle, opened: number): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  await prisma.market.createMany({
    data: demoMarkets.map((market) => ({ businessId, key: market.code.toLowerCase(), ...market, ...stamps })),
  });
  await prisma.shippingMethod.createMany({
    data: demoShippingMethods.map((method) => ({ businessId, ...method, ...stamps })),
  });
  await prisma.promoCode.createMany({
    data: demoPromoCodes.map((promo, index) => ({
      id: seedId(2, index + 1),
      businessId,
      key: promo.code.toLowerCase(),
      ...promo,
      ...stamps,
    })),
  });
  await prisma.category.createMany({
    data: demoCategories.map(({ slug, name, de, ...more }, position) => ({
      id: demoCategoryId(slug),
      businessId,
      parentId: 'parent' in more ? demoCategoryId(more.parent) : null,
      ...{ slug, name, position },
      document: {
        ...('description' in more ? { description: more.description } : {}),
        translations: [{ locale: 'de', name: de }],
      },
      ...stamps,
    })),
  });
  await prisma.customerGroup.create({ data: { businessId, ...demoWholesaleGroup, ...stamps } });
  await prisma.customerGroupMember.create({
    data: { businessId, groupId: demoWholesaleGroup.id, userId: demoShop.customerId, createdAt: opened },
  });
}

/** Seeds the demo business, its users and roles, and its markets, shipping methods and promo codes. */
import { defaultRoles } from '../auth/permissions-and-default-roles.ts';
import type { QueryHandle } from '../db/handles.ts';
import {
  buildSeedId,
  demoAddress,
  demoCategories,
  demoMarkets,
  demoPromoCodes,
  demoShippingMethods,
  demoShopIdsAndLogins,
  demoWholesaleGroup,
  getDemoCategoryId,
} from './shop-data.ts';

const { businessId } = demoShopIdsAndLogins;

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
        id: demoShopIdsAndLogins.adminId,
        name: 'Demo Admin',
        email: demoShopIdsAndLogins.email,
        onboardingCompleted: true,
        ...person,
      },
      {
        id: demoShopIdsAndLogins.customerId,
        name: demoAddress.name,
        email: demoShopIdsAndLogins.customerEmail,
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
      id: buildSeedId(1, index + 1),
      businessId,
      name,
      permissions: [...permissions],
      ...stamps,
    })),
  });
  await prisma.membership.create({
    data: { businessId, userId: demoShopIdsAndLogins.adminId, roleId: buildSeedId(1, 1), createdAt: opened },
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
      id: buildSeedId(2, index + 1),
      businessId,
      key: promo.code.toLowerCase(),
      ...promo,
      ...stamps,
    })),
  });
  await prisma.category.createMany({
    data: demoCategories.map(({ slug, name, de, ...more }, position) => ({
      id: getDemoCategoryId(slug),
      businessId,
      parentId: 'parent' in more ? getDemoCategoryId(more.parent) : null,
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
    data: {
      businessId,
      groupId: demoWholesaleGroup.id,
      userId: demoShopIdsAndLogins.customerId,
      createdAt: opened,
    },
  });
}

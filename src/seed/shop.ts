/** Seeds the demo business, its users and roles, and its markets, shipping methods and promo codes. */
import { defaultRoles } from '../auth/permissions.ts';
import type { Queries } from '../db/handles.ts';
import {
  demo,
  demoAddress,
  demoMarkets,
  demoPromoCodes,
  demoShippingMethods,
  seedId,
  wholesaleGroup,
} from './shop-data.ts';

const { businessId } = demo;

/** Returns false when the demo business exists already. */
export async function seedBusiness({ prisma }: Queries, opened: number): Promise<boolean> {
  const { count } = await prisma.business.createMany({
    data: [{ id: businessId, name: 'Demo Coffee', slug: 'demo', createdAt: opened, updatedAt: opened }],
    skipDuplicates: true,
  });
  return count > 0;
}

export async function seedPeople({ prisma }: Queries, opened: number, passwordHash: string): Promise<void> {
  const stamps = { createdAt: opened, updatedAt: opened };
  const person = { passwordHash, isConfirmed: true, phoneNumbers: [], ...stamps };
  await prisma.user.createMany({
    data: [
      { id: demo.adminId, name: 'Demo Admin', email: demo.email, onboardingCompleted: true, ...person },
      {
        id: demo.customerId,
        name: demoAddress.name,
        email: demo.customerEmail,
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
    data: { businessId, userId: demo.adminId, roleId: seedId(1, 1), createdAt: opened },
  });
}

export async function seedConfiguration({ prisma }: Queries, opened: number): Promise<void> {
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
  await prisma.customerGroup.create({ data: { businessId, ...wholesaleGroup, ...stamps } });
  await prisma.customerGroupMember.create({
    data: { businessId, groupId: wholesaleGroup.id, userId: demo.customerId, createdAt: opened },
  });
}

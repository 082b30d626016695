/** Samples of customer groups. The admin is a member of one. */
import {
  demoShopIdsAndLogins,
  demoWholesaleGroup,
  disposableRecordIds,
} from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const group = (world: World) => ({ path: { ...inShop(world), id: demoWholesaleGroup.id } });
const members = (world: World) => ({ path: { ...inShop(world), groupId: demoWholesaleGroup.id } });

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}/customer-groups`;
    await createFixture(t, world, 'group', base, demoWholesaleGroup);
    await createFixture(t, world, 'otherGroup', base, { name: 'Friends' });
    await createFixture(t, world, 'member', `${base}/${demoWholesaleGroup.id}/members`, {
      userId: world.shop.admin.userId,
    });
  },
  samples: {
    CreateCustomerGroup: (world) => ({ path: inShop(world), body: { name: 'Cafés of the town' } }),
    ListCustomerGroups: (world) => ({ path: inShop(world), query: { limit: 1 } }),
    GetCustomerGroup: group,
    UpdateCustomerGroup: (world) => ({ ...group(world), body: { name: 'Whole sale' } }),
    DeleteCustomerGroup: group,
    AddCustomerGroupMember: (world) => ({ ...members(world), body: { userId: world.shop.admin.userId } }),
    ListCustomerGroupMembers: (world) => ({ ...members(world), query: { limit: 2 } }),
    RemoveCustomerGroupMember: (world) => ({
      path: { ...members(world).path, userId: world.shop.admin.userId },
    }),
  },
  demo: {
    samples: {
      UpdateCustomerGroup: (world) => ({ ...group(world), body: { name: demoWholesaleGroup.name } }),
      DeleteCustomerGroup: (world) => ({
        path: { ...inShop(world), id: disposableRecordIds.customerGroupId },
      }),
      AddCustomerGroupMember: (world) => ({
        ...members(world),
        body: { userId: demoShopIdsAndLogins.adminId },
      }),
      RemoveCustomerGroupMember: (world) => ({
        path: { ...members(world).path, userId: disposableRecordIds.baristaId },
      }),
    },
  },
};

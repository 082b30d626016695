/** Samples of customer groups. The admin is in one, as somebody who works for the shop. */
import { demo, spare, wholesale } from '../../../src/seed/data.ts';
import { given, type Samples, type World } from '../world.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const group = (world: World) => ({ path: { ...inShop(world), id: wholesale.id } });
const members = (world: World) => ({ path: { ...inShop(world), groupId: wholesale.id } });

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}/customer-groups`;
    await given(t, world, 'group', base, wholesale);
    await given(t, world, 'otherGroup', base, { name: 'Friends' });
    await given(t, world, 'member', `${base}/${wholesale.id}/members`, { userId: world.shop.admin.userId });
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
      UpdateCustomerGroup: (world) => ({ ...group(world), body: { name: wholesale.name } }),
      DeleteCustomerGroup: (world) => ({ path: { ...inShop(world), id: spare.customerGroupId } }),
      AddCustomerGroupMember: (world) => ({ ...members(world), body: { userId: demo.adminId } }),
      RemoveCustomerGroupMember: (world) => ({
        path: { ...members(world).path, userId: spare.baristaId },
      }),
    },
  },
};

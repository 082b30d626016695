/** Samples of invitations. The admin accepts one of their own. */
import { buildSeedId, demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import { latestMailToken } from '../../support/accounts.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const invitation = (world: World) => ({ path: { ...inShop(world), id: world.ids.invitation ?? '' } });
const invite = (email: string, roleId: string) => ({
  operationId: 'InviteMember',
  body: { email, roleId },
  take: { invitationId: '/id' },
});
const managerRoleId = buildSeedId(1, 2);

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}/invitations`;
    const { ADMIN, EDITOR } = world.shop.roles;
    await createFixture(t, world, 'invitation', base, { email: 'invited@people.example', roleId: EDITOR });
    const admin = await t.db.prisma.user.findUniqueOrThrow({ where: { id: world.shop.admin.userId } });
    const email = admin.email ?? '';
    await createFixture(t, world, 'ownInvitation', base, { email, roleId: ADMIN });
    world.ids.invitationToken = await latestMailToken(t, email);
  },
  samples: {
    InviteMember: (world) => ({
      path: inShop(world),
      body: { email: 'New.Member@people.example', roleId: world.shop.roles.MANAGER },
    }),
    ListInvitations: (world) => ({ path: inShop(world), query: { limit: 1 } }),
    ResendInvitation: invitation,
    RevokeInvitation: invitation,
    AcceptInvitation: (world) => ({ body: { token: world.ids.invitationToken ?? '' } }),
  },
  demo: {
    samples: {
      InviteMember: (world) => ({
        path: inShop(world),
        body: { email: 'grace@people.example', roleId: managerRoleId },
      }),
      ResendInvitation: (world) => ({
        path: { ...inShop(world), id: '{invitationId}' },
        first: [invite('resend-{fresh}@people.example', managerRoleId)],
      }),
      RevokeInvitation: (world) => ({
        path: { ...inShop(world), id: '{invitationId}' },
        first: [invite('revoke-{fresh}@people.example', managerRoleId)],
      }),
      AcceptInvitation: () => ({
        body: { token: '{token}' },
        first: [
          invite(demoShopIdsAndLogins.email, buildSeedId(1, 1)),
          { outbox: demoShopIdsAndLogins.email, take: { token: '/account/invitation' } },
        ],
      }),
    },
  },
};

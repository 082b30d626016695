/** Set-up of the tests of invitations: an app, and helpers that invite and accept. */
import { latestMailToken } from '../support/accounts.ts';
import { type Person, type RestResponse, type Shop, type TestApp, testApp } from '../support/app.ts';

export interface InvitationBody {
  id: string;
  email: string;
  state: string;
  details?: { field: string; error: string }[];
}

export interface InvitationHelpers {
  t: TestApp;
  invite(
    shop: Shop,
    email: string,
    role?: string,
    headers?: Record<string, string>,
  ): Promise<RestResponse<InvitationBody>>;
  /** Invites and returns the token of the mail. */
  inviteForToken(shop: Shop, email: string, role?: string): Promise<string>;
  accept(person: Person, token: string): Promise<RestResponse<InvitationBody>>;
  list(shop: Shop): Promise<InvitationBody[]>;
  roleOf(shop: Shop, person: Person): Promise<string | undefined>;
}

export const invitationsPath = (shop: Shop) => `/v1/businesses/${shop.businessId}/invitations`;

export async function createInvitationHelpers(): Promise<InvitationHelpers> {
  const t = await testApp();
  const helpers: InvitationHelpers = {
    t,
    invite: (shop, email, role = 'EDITOR', headers = {}) =>
      t.rest<InvitationBody>('POST', invitationsPath(shop), {
        as: shop.admin,
        headers,
        body: { email, roleId: shop.roles[role] },
      }),
    async inviteForToken(shop, email, role) {
      const response = await helpers.invite(shop, email, role);
      if (response.status !== 200) throw new Error(JSON.stringify(response.body));
      return latestMailToken(t, email);
    },
    accept: (person, token) =>
      t.rest<InvitationBody>('POST', '/v1/invitations/accept', { as: person, body: { token } }),
    list: async (shop) =>
      (await t.rest<{ items: InvitationBody[] }>('GET', invitationsPath(shop), { as: shop.admin })).body
        .items,
    async roleOf(shop, { userId }) {
      const membership = await t.db.prisma.membership.findUnique({
        where: { userId_businessId: { userId, businessId: shop.businessId } },
        select: { role: { select: { name: true } } },
      });
      return membership?.role.name;
    },
  };
  return helpers;
}

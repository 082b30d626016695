/** Samples of accounts. */
import {
  buildSeedId,
  demoPhoneConfirmations,
  demoShopIdsAndLogins,
  disposableRecordIds,
} from '../../../src/seed/shop-data.ts';
import {
  latestMailToken,
  registerAccount,
  registerConfirmedAccount,
  signIn,
  validPassword,
} from '../../support/accounts.ts';
import type { Samples, World } from '../fixtures.ts';

const phoneNumber = '+4915112345678';
const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
/** A new user each time. */
const email = 'grace-{fresh}@people.example';
const register = { operationId: 'Register', body: { email, password: validPassword } };
const idOf = ({ ids }: World, name: string) => ids[name] ?? '';

export const domain: Samples = {
  async prepare(t, world) {
    const waiting = await registerAccount(t, 'waiting@people.example');
    world.ids.confirmToken = await latestMailToken(t, waiting);
    const member = await signIn(t, await registerConfirmedAccount(t, 'member@people.example'));
    world.ids.member = member.userId;
    const session = await t.db.prisma.session.findFirst({ where: { userId: world.shop.admin.userId } });
    world.ids.session = session?.id ?? '';
    world.ids.refreshToken = member.refreshToken;
    await t.addMember(world.shop, member, 'EDITOR');
    await t.rest('POST', '/v1/users/forgot-password', { body: { email: member.email } });
    world.ids.resetToken = await latestMailToken(t, member.email);
    await t.rest('POST', '/v1/users/phone-number', { as: world.shop.admin, body: { phoneNumber } });
    const text = (await t.outbox(phoneNumber)).at(-1)?.text ?? '';
    world.ids.phoneCode = /\d{6}/.exec(text)?.[0] ?? '';
  },
  samples: {
    Register: () => ({ body: { email: 'new@people.example', password: validPassword } }),
    ConfirmEmail: (world) => ({ body: { token: idOf(world, 'confirmToken') } }),
    Login: () => ({ body: { provider: 'EMAIL', email: 'member@people.example', password: validPassword } }),
    GetLoginUrl: () => ({
      query: { provider: 'OAUTH_IDP', originUrl: 'http://shop.test', redirectUrl: 'http://shop.test/in' },
      // No identity provider is configured.
      adminStatus: 400,
    }),
    Refresh: (world) => ({ body: { provider: 'EMAIL', refreshToken: idOf(world, 'refreshToken') } }),
    Logout: (world) => ({ body: { token: idOf(world, 'refreshToken') } }),
    GetMe: () => ({}),
    ExportMe: () => ({}),
    // Fails: the last admin of a business cannot be deleted.
    DeleteMe: () => ({ body: {}, adminStatus: 422 }),
    ListSessions: () => ({ query: { limit: 5 } }),
    RevokeSession: (world) => ({ path: { id: idOf(world, 'session') } }),
    RevokeAllSessions: () => ({}),
    LeaveBusiness: (world) => ({ path: inShop(world) }),
    UpdateMe: () => ({
      body: {
        name: 'Renamed',
        addresses: [{ id: 'home', street: 'Am Wall 1', city: 'Bremen', zip: '28195', country: 'DE' }],
      },
    }),
    SendPhoneCode: () => ({ body: { phoneNumber: '+4915187654321' } }),
    ConfirmPhoneNumber: (world) => ({ body: { phoneNumber, code: idOf(world, 'phoneCode') } }),
    ForgotPassword: () => ({ body: { email: 'member@people.example' } }),
    ResendConfirmation: () => ({ body: { email: 'waiting@people.example' } }),
    ResetForgottenPassword: (world) => ({
      body: { token: idOf(world, 'resetToken'), password: 'another good password' },
    }),
    ChangePassword: () => ({ body: { oldPassword: validPassword, newPassword: 'another good password' } }),
    SearchUsers: (world) => ({ query: { ...inShop(world), query: 'member', limit: 5 } }),
    SetRole: (world) => ({
      body: { ...inShop(world), userId: idOf(world, 'member'), roleId: world.shop.roles.MANAGER },
    }),
    SetMemberRole: (world) => ({
      path: { ...inShop(world), userId: idOf(world, 'member') },
      body: { roleId: world.shop.roles.MANAGER },
    }),
    ListMembers: (world) => ({ path: inShop(world), query: { limit: 5 } }),
    RemoveMember: (world) => ({ path: { ...inShop(world), userId: idOf(world, 'member') } }),
  },
  demo: {
    ids: { member: disposableRecordIds.baristaId },
    samples: {
      Register: () => ({ as: 'guest', body: { email: 'grace@people.example', password: validPassword } }),
      ConfirmEmail: () => ({
        body: { token: '{token}' },
        first: [register, { outbox: email, take: { token: '/account/confirm' } }],
      }),
      Login: () => ({
        body: {
          provider: 'EMAIL',
          email: demoShopIdsAndLogins.email,
          password: demoShopIdsAndLogins.password,
        },
      }),
      GetLoginUrl: () => ({
        query: {
          provider: 'OAUTH_IDP',
          originUrl: 'http://localhost:4000',
          redirectUrl: 'http://localhost:4000/',
        },
        refused: { status: 400, because: 'The demo has no identity provider: OIDC_ISSUER names one.' },
      }),
      Refresh: () => ({
        body: { provider: 'EMAIL', refreshToken: '{refreshToken}' },
        first: [{ operationId: 'Login', take: { refreshToken: '/refreshToken' } }],
      }),
      Logout: () => ({ as: 'guest', body: {} }),
      RevokeSession: () => ({ path: { id: disposableRecordIds.sessionId } }),
      RevokeAllSessions: () => ({ as: 'guest' }),
      DeleteMe: () => ({ as: 'guest' }),
      LeaveBusiness: () => ({ path: { businessId: disposableRecordIds.roasteryId } }),
      UpdateMe: () => ({
        body: {
          name: 'Demo Admin',
          addresses: [{ id: 'home', street: 'Am Wall 1', city: 'Bremen', zip: '28195', country: 'DE' }],
        },
      }),
      ConfirmPhoneNumber: () => ({ body: { ...demoPhoneConfirmations[0] } }),
      // A code can be used only once.
      ConfirmPhoneNumberAtPhoneNumber: () => ({ body: { ...demoPhoneConfirmations[1] } }),
      ForgotPassword: () => ({ body: { email: demoShopIdsAndLogins.customerEmail } }),
      ResetForgottenPassword: () => ({
        body: { token: '{token}', password: 'another good password' },
        first: [
          register,
          { operationId: 'ForgotPassword', body: { email } },
          { outbox: email, take: { token: '/account/reset-password' } },
        ],
      }),
      // The password stays the same, so that the demo stays usable.
      ChangePassword: () => ({
        body: { oldPassword: demoShopIdsAndLogins.password, newPassword: demoShopIdsAndLogins.password },
      }),
      SearchUsers: (world) => ({ query: { ...inShop(world), query: 'barista', limit: 5 } }),
      SetRole: (world) => ({
        body: { ...inShop(world), userId: disposableRecordIds.baristaId, roleId: buildSeedId(1, 3) },
      }),
      SetMemberRole: (world) => ({
        path: { ...inShop(world), userId: disposableRecordIds.baristaId },
        body: { roleId: buildSeedId(1, 3) },
      }),
      RemoveMember: (world) => ({ path: { ...inShop(world), userId: disposableRecordIds.formerBaristaId } }),
    },
  },
};

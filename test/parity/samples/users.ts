/** Samples of accounts. */
import { confirmed, goodPassword, mailedToken, registered, signIn } from '../../support/accounts.ts';
import type { Samples, World } from '../world.ts';

const phoneNumber = '+4915112345678';
const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const someone = ({ ids }: World, name: string) => ids[name] ?? '';

export const domain: Samples = {
  async prepare(t, world) {
    const waiting = await registered(t, 'waiting@people.example');
    world.ids.confirmToken = await mailedToken(t, waiting);
    const member = await signIn(t, await confirmed(t, 'member@people.example'));
    world.ids.member = member.userId;
    world.ids.refreshToken = member.refreshToken;
    await t.hire(world.shop, member, 'EDITOR');
    await t.rest('POST', '/v1/users/forgot-password', { body: { email: member.email } });
    world.ids.resetToken = await mailedToken(t, member.email);
    await t.rest('POST', '/v1/users/phone-number', { as: world.shop.admin, body: { phoneNumber } });
    const text = (await t.outbox(phoneNumber)).at(-1)?.text ?? '';
    world.ids.phoneCode = /\d{6}/.exec(text)?.[0] ?? '';
  },
  samples: {
    Register: () => ({ body: { email: 'new@people.example', password: goodPassword } }),
    ConfirmEmail: (world) => ({ body: { token: someone(world, 'confirmToken') } }),
    Login: () => ({ body: { provider: 'EMAIL', email: 'member@people.example', password: goodPassword } }),
    GetLoginUrl: () => ({
      query: { provider: 'OAUTH_IDP', originUrl: 'http://shop.test', redirectUrl: 'http://shop.test/in' },
      // No identity provider is configured.
      adminGets: 400,
    }),
    Refresh: (world) => ({ body: { provider: 'EMAIL', refreshToken: someone(world, 'refreshToken') } }),
    Logout: (world) => ({ body: { token: someone(world, 'refreshToken') } }),
    GetMe: () => ({}),
    UpdateMe: () => ({ body: { name: 'Renamed', addresses: [{ city: 'Bremen', country: 'DE' }] } }),
    SendPhoneCode: () => ({ body: { phoneNumber: '+4915187654321' } }),
    ConfirmPhoneNumber: (world) => ({ body: { phoneNumber, code: someone(world, 'phoneCode') } }),
    ForgotPassword: () => ({ body: { email: 'member@people.example' } }),
    ResetForgottenPassword: (world) => ({
      body: { token: someone(world, 'resetToken'), password: 'another good password' },
    }),
    ChangePassword: () => ({ body: { oldPassword: goodPassword, newPassword: 'another good password' } }),
    SearchUsers: (world) => ({ query: { ...inShop(world), query: 'member', limit: 5 } }),
    SetRole: (world) => ({
      body: { ...inShop(world), userId: someone(world, 'member'), roleId: world.shop.roles.MANAGER },
    }),
    ListMembers: (world) => ({ path: inShop(world), query: { limit: 5 } }),
    RemoveMember: (world) => ({ path: { ...inShop(world), userId: someone(world, 'member') } }),
  },
};
